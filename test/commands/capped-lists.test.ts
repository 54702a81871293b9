import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts'
import { createMachine, type Machine } from '../helpers/facescan.ts'

let sandbox: Sandbox
let machine: Machine
let database: string
/** If a test sets this function, it handles each GET request. It can change the URL of the request, or the response. */
let change: ((url: URL, handle: (url: URL) => Promise<Response>) => Promise<Response>) | undefined

beforeAll(async () => {
  database = join(mkdtempSync(join(tmpdir(), 'facescan-capped-')), 'service.sqlite')
  sandbox = await startSandbox({
    strict: true,
    database,
    faults: (handle) => (request) => {
      const pass = (url: URL) => handle(new Request(url, request))
      return change && request.method === 'GET' ? change(new URL(request.url), pass) : handle(request)
    },
  })
  machine = createMachine({ FACESCAN_BASE_URL: sandbox.url, FACESCAN_API_KEY: sandbox.keys.development.key })
  await machine.facescan('users create 4711')
  await machine.facescan(`sandbox scan 4711 --db ${database} --count 25 --days 25 --seed 7`)
  for (const [key, value] of [
    ['weight', 72],
    ['height', 180],
  ])
    await machine.facescan(`answers save ${key}=${value} --external-user-id 4711 --timezone UTC`)
})

afterAll(() => sandbox.close())
beforeEach(() => {
  change = undefined
})

const json = async (line: string) => JSON.parse((await machine.facescan(`${line} --json`)).stdout)

test('"biomarkers list --all" reads all scans if the service returns fewer scans per response than requested', async () => {
  const all = await json('biomarkers list 4711 --all')
  change = (url, pass) => {
    url.searchParams.set('count', String(Math.min(4, Number(url.searchParams.get('count')))))
    return pass(url)
  }
  expect(await json('biomarkers list 4711 --limit 15')).toEqual(all.slice(0, 15))
  expect(await json('biomarkers list 4711 --all')).toEqual(all)
  expect(await json('biomarkers list 4711 --all --order asc')).toEqual(all.toReversed())
})

test.each(['asc', 'desc'])(
  '"biomarkers list --order %s" sorts the scans and warns if the service ignores the order',
  async (order) => {
    const all = await json(`biomarkers list 4711 --all --order ${order}`)
    change = async (url, pass) => {
      const scans = (await (await pass(url)).json()) as unknown[]
      return Response.json(scans.toReversed())
    }
    const ran = await machine.facescan(`biomarkers list 4711 --limit 50 --order ${order} --json`)
    expect(JSON.parse(ran.stdout)).toEqual(all)
    expect(ran.stderr).toContain(
      'did not return the scans in the requested order, so some scans may be missing',
    )
  },
)

test('"biomarkers latest" prints the newest scans even if the service returns too many scans in the wrong order', async () => {
  const newest = await json('biomarkers latest 4711 --count 2')
  change = async (url, pass) => {
    url.searchParams.set('count', '9')
    return Response.json(((await (await pass(url)).json()) as unknown[]).toReversed())
  }
  expect(await json('biomarkers latest 4711 --count 2')).toEqual(newest)
})

test('"biomarkers list" exits with 8 if the service returns the same page of scans again', async () => {
  await machine.facescan('users create many')
  await machine.facescan(`sandbox scan many --db ${database} --count 1100 --days 2 --seed 7`)
  change = (url, pass) => {
    url.searchParams.delete('end')
    return pass(url)
  }
  const ran = await machine.facescan('biomarkers list many --all --json')
  expect(ran).toMatchObject({ exitCode: 8, stdout: '' })
  expect(ran.stderr).toContain('returned the same 1,000 scans again')
})

test.each([
  ['a number', 2, 0, 2],
  ['digits', '2', 0, 2],
  ['a URL', 'https://other.example/v2/questions/answered?page=2&x=1', 0, 2],
  ['an opaque token', 'bmV4dA==', 10, 1],
  ['a URL without the parameter', 'https://other.example/next', 10, 1],
])(
  'if next_page is %s (%j), "answers list" exits with code %i after page %i',
  async (_, next, exitCode, count) => {
    change = async (url, pass) => {
      if (!url.pathname.endsWith('/answered')) return pass(url)
      const page = Number(url.searchParams.get('page'))
      url.searchParams.set('page', '1')
      const { items } = (await (await pass(url)).json()) as { items: unknown[] }
      const pagination = {
        page,
        page_size: 1,
        total_pages: 2,
        total_items: 2,
        next_page: page === 1 ? next : null,
      }
      return Response.json({ items: [items[page - 1]], pagination })
    }
    const ran = await machine.facescan('answers list 4711 --json')
    expect(ran.exitCode).toBe(exitCode)
    expect(JSON.parse(ran.stdout)).toHaveLength(count)
    if (exitCode === 10) expect(ran.stderr).toContain('the list is incomplete')
  },
)

test('if next_page of the last page is an empty text, the output of "answers list" is complete', async () => {
  change = async (url, pass) => {
    const { items, pagination } = (await (await pass(url)).json()) as { items: unknown[]; pagination: object }
    return Response.json({ items, pagination: { ...pagination, next_page: '' } })
  }
  expect(await machine.facescan('answers list 4711 --json')).toMatchObject({ exitCode: 0, stderr: '' })
})

test('a command warns once if several pages differ from the contract in the same way', async () => {
  change = async (url, pass) => {
    const page = Number(url.searchParams.get('page'))
    url.searchParams.set('page', '1')
    const { items } = (await (await pass(url)).json()) as { items: unknown[] }
    return Response.json({ items: [items[page - 1]], pagination: { page, next_page: page === 1 ? 2 : null } })
  }
  const { stderr } = await machine.facescan('answers list 4711 --json')
  expect(stderr.match(/unexpected response format/g)).toHaveLength(1)
})

test.each([
  [5, 10, 'reports 5 answers, but returned 2'],
  [1, 10, 'reports 1 answer, but returned 2'],
  ['2', 0, 'total_items'],
  [undefined, 0, 'total_items'],
])(
  'if the total is %j and the response has 2 answers, "answers list" exits with code %i',
  async (total_items, exitCode, message) => {
    change = async (url, pass) => {
      const reply = (await (await pass(url)).json()) as { items: unknown[]; pagination: object }
      return Response.json({ ...reply, pagination: { ...reply.pagination, total_items } })
    }
    const ran = await machine.facescan('answers list 4711 --json')
    expect(ran.exitCode, ran.stderr).toBe(exitCode)
    expect(ran.stderr).toContain(message)
    if (exitCode === 10) expect(ran.stderr).toContain('"code":"list_failed"')
  },
)

test('the output of "answers list" is complete if the service ends the list with an empty page whose total is 0', async () => {
  change = async (url, pass) => {
    const page = Number(url.searchParams.get('page'))
    url.searchParams.set('page', '1')
    const { items } = (await (await pass(url)).json()) as { items: unknown[] }
    const shown = page === 1 ? items : []
    const pagination = { page, page_size: 2, total_pages: 1, total_items: shown.length, next_page: page + 1 }
    return Response.json({ items: shown, pagination })
  }
  const ran = await machine.facescan('answers list 4711 --json')
  expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
  expect(JSON.parse(ran.stdout)).toHaveLength(2)
})

test('"widgets graph" sends only the request fields that the specification defines', async () => {
  const ran = await machine.facescan(
    'widgets graph heart_rate --external-user-id 4711 --start 2026-03-01 --stop 2026-03-02',
  )
  expect(ran).toMatchObject({ exitCode: 0 })
})

test('a strict sandbox refuses a request body with an unknown field', async () => {
  const send = (fields: object) =>
    machine.facescan('api POST /v2/users --body -', {
      stdin: JSON.stringify({ external_user_id: 'S1', ...fields }),
    })
  const refused = await send({ nickname: 'x' })
  expect(refused.exitCode).toBe(6)
  expect(refused.stderr).toContain('body.nickname: unknown field')
  expect((await send({})).exitCode).toBe(0)
})
