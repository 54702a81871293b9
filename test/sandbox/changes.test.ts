import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStore, type Store } from '../../src/sandbox/index.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'facescan-changes-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

const insert = (store: Store, id: string) =>
  store.run('insert into user (user_id, created_at_ms) values (?, 0)', id)

/** Runs changes in one turn. Returns for each change its error, or the users that another process sees when the change resolves. */
async function settleChanges(works: readonly ((store: Store) => unknown)[]) {
  const path = join(folder, 'sandbox.db')
  const [store, other] = [await openStore(path), await openStore(path)]
  const stored = () => other.all<{ user_id: string }>('select user_id from user').map((row) => row.user_id)
  const settle = (work: (store: Store) => unknown) =>
    store.change(() => work(store)).then(stored, (error: Error) => error.message)
  const settled = await Promise.all(works.map(settle))
  const users = stored()
  for (const one of [store, other]) one.close()
  return { settled, users }
}

describe('changes made in one turn of the event loop', () => {
  it('changes made in one turn of the event loop are committed together before their promises resolve', async () => {
    const works = [(store: Store) => insert(store, 'a'), (store: Store) => insert(store, 'b')]
    expect(await settleChanges(works)).toEqual({
      settled: [
        ['a', 'b'],
        ['a', 'b'],
      ],
      users: ['a', 'b'],
    })
  })

  it('a change that fails before it writes does not affect the other changes in its turn of the event loop', async () => {
    const fail = () => {
      throw new Error('refused')
    }
    const works = [(store: Store) => insert(store, 'a'), fail, (store: Store) => insert(store, 'b')]
    expect(await settleChanges(works)).toEqual({
      settled: [['a', 'b'], 'refused', ['a', 'b']],
      users: ['a', 'b'],
    })
  })

  it('a change that fails after it wrote something rejects all changes in its turn of the event loop', async () => {
    const fail = (store: Store) => {
      insert(store, 'part')
      throw new Error('failed')
    }
    const works = [(store: Store) => insert(store, 'a'), fail]
    expect(await settleChanges(works)).toEqual({ settled: ['failed', 'failed'], users: [] })
  })
})
