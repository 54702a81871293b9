import { existsSync } from 'node:fs'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { redactProgramText } from '../../src/base/mask.ts'
import { assertNoKey, readKeyFromCommand, runBounded } from '../../src/profiles/key-command.ts'
import { Secret } from '../../src/profiles/secret.ts'

const env = { PATH: process.env['PATH'] }
const key = 'sentinel!key-of.a_program@0123456789abcd'

function read(command: string, timeoutMs?: number) {
  return readKeyFromCommand(command, 'ACME', env, { timeoutMs })
}

describe('a key command', () => {
  it('a key command can use quotes and pipes, and its output is the key', async () => {
    expect((await read(`printf '%s\\n' '${key}' | cat`)).reveal()).toBe(key)
  })

  it('a slow key command is stopped, even if its child process keeps running', async () => {
    await expect(read('sleep 30 & sleep 30', 200)).rejects.toThrow('did not finish in time')
  })

  it('if facescan was suspended longer than the time limit of a key command, the key command is reported as too slow', async () => {
    const reading = runBounded(`echo ${key}`, undefined, { env, timeoutMs: 1 })
    // Blocks the event loop until the command has ended and its time limit has passed.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
    expect(await reading).toMatchObject({ stdout: '', stopped: 'time' })
  })

  it('if facescan is stopped while a key command runs, the key command is stopped', async () => {
    const stopping = new AbortController()
    const reading = readKeyFromCommand('sleep 30 & sleep 30', 'ACME', env, { signal: stopping.signal })
    stopping.abort(new Error('terminated'))
    await expect(reading).rejects.toThrow('terminated')
  })

  it('a key command is stopped if its output is too long', async () => {
    await expect(read('yes')).rejects.toThrow('printed more than')
  })

  it('a key command has an empty standard input', async () => {
    await expect(read('cat')).rejects.toThrow('is empty')
  })

  it('the error for a failed key command contains the last line of its stderr, but no word that looks like a key', async () => {
    const command = `echo ${key}; echo 'first line' >&2; echo 'vault locked, token ${key} refused' >&2; exit 4`
    const error = await read(command).catch((reason: Error) => reason)
    expect(String(error)).toContain('failed with exit code 4: vault locked, token *** refused')
    expect(JSON.stringify([error, String(error), (error as Error).stack])).not.toContain('sentinel')
  })

  it('the output of a key command is refused if the output has several lines', async () => {
    await expect(read(`echo one; echo two`)).rejects.toThrow(
      'contains a space, a line break, or another character that is not allowed in a key',
    )
  })

  it('the error for a key command that does not exist suggests how to change the key command', async () => {
    await expect(read('/nonexistent/program')).rejects.toMatchObject({
      code: 'configuration',
      details: { hint: expect.stringContaining('facescan profiles set ACME --key-command') },
    })
  })

  it('a new key command that contains the key is refused and not run', async () => {
    const path = join(await mkdtemp(join(tmpdir(), 'facescan-command-')), 'ran')
    const reading = readKeyFromCommand(`touch '${path}'; echo ${key}`, 'ACME', env, { isStored: false })
    await expect(reading).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('contains the key'),
    })
    expect(existsSync(path)).toBe(false)
  })

  it('if a new key command fails, the error does not suggest how to change the key command', async () => {
    const error = await readKeyFromCommand('exit 4', 'ACME', env, { isStored: false }).catch(
      (reason) => reason,
    )
    expect(error.details.hint).toBe('Run the command yourself to check that it prints only the key.')
  })

  it.each([
    ['echo short-key', 'refused'],
    [`echo ${key}`, 'refused'],
    ['pass show acme', 'accepted'],
  ])('the key command "%s" for the key "short-key" is %s', (command, result) => {
    const check = () => assertNoKey(command, new Secret('short-key'))
    if (result === 'refused') expect(check).toThrow('--key-command contains the key itself')
    else expect(check).not.toThrow()
  })

  it('a key command is run only once', async () => {
    const path = join(await mkdtemp(join(tmpdir(), 'facescan-command-')), 'runs')
    await writeFile(path, '')
    await read(`echo run >> '${path}'; echo ${key}`)
    expect(await readFile(path, 'utf8')).toBe('run\n')
  })
})

describe('the error text of a program', () => {
  it('the error text of a key command is shown without secrets and control characters', () => {
    expect(redactProgramText('got \x1b[31mabc', 'abc\n')).toBe('got  [31m***')
  })

  it.each([
    [
      'any key, even if the command did not print the key',
      `the key ${key} is refused`,
      'the key *** is refused',
    ],
    ['long words', `${'a'.repeat(20)} ${'b'.repeat(19)}`, `*** ${'b'.repeat(19)}`],
    ['a period at the end', 'vault.example is locked.', 'vault.example is locked'],
    ['all lines except the last', `first\n${key}\nlast\n`, 'last'],
    ['text beyond 200 characters', 'word '.repeat(100), 'word '.repeat(40)],
    ['a change if it contains no secrets', 'not signed in', 'not signed in'],
  ])('the error text of a key command is shown without %s', (_, stderr, shown) => {
    expect(redactProgramText(stderr, '')).toBe(shown)
  })
})
