import { expect, it } from 'vitest'
import { biomarkerNames, metricNames } from '../../src/contract/biomarkers.ts'
import { useSandbox } from './fixture.ts'

const { call, createUser, scan, tokenOf } = useSandbox()

async function scannedUser(scans: number) {
  const { externalUserId } = await createUser()
  if (scans > 0) scan(externalUserId, scans)
  const token = await tokenOf(externalUserId)
  const [latest] = (await call('GET', '/v2/face-scans/latest', { token })).body
  return { token, latest }
}

function widget(name: string, data: object, token: string, headers = {}) {
  return call('POST', `/v2/widgets/${name}`, { token, body: { data }, headers })
}

// spec 2.8:1, 4.9:2
it.each(biomarkerNames)('the sandbox returns a widget for the biomarker %s of a scan', async (parameter) => {
  const { token, latest } = await scannedUser(1)
  const reply = await widget('biomarker', { face_scan_id: latest.face_scan_id, parameter }, token)
  expect(reply.status).toBe(200)
  const { data, config } = reply.body
  expect(config).toEqual({ face_scan_id: latest.face_scan_id, parameter })
  expect(data.value).toBe(latest[parameter])
  const [low, high] = data.range
  expect(data.percentage).toBeCloseTo(((data.value - low) / (high - low)) * 100, 1)
  expect(data.gradientstops[0]).toBeLessThan(data.gradientstops[1])
})

// spec 2.8:2-3, 4.9:3
it('if a user has too few scans for a metric, the widget of the metric is locked and its values are null', async () => {
  const { token } = await scannedUser(2)
  const locked = (await widget('metric', { parameter: 'sleep_quality' }, token)).body.data
  expect(locked).toMatchObject({ name: 'sleep_quality', locked: true })
  const nullable = ['value', 'value_str', 'unit', 'range', 'percentage', 'zone', 'optimum']
  expect(nullable.map((field) => locked[field])).toEqual(nullable.map(() => null))
  const open = (await widget('metric', { parameter: 'mental_stress' }, token)).body.data
  expect(open).toMatchObject({ locked: false, unit: '%', range: [0, 100], value_str: String(open.value) })
})

// spec 2.8:4, 4.9:4, 8:1
it('the sandbox returns a graph of nine days by default, with null for a day without a scan', async () => {
  const { token, latest } = await scannedUser(1)
  const { data, config } = (await widget('graph', { parameter: 'heart_rate' }, token)).body
  expect(data).toHaveLength(9)
  expect(data.at(-1)).toEqual({
    value: latest.heart_rate,
    hint: `${latest.heart_rate} bpm`,
    label: '03-10',
    timestamp: '2026-03-10T00:00:00.000000+00:00',
  })
  expect(data.slice(0, -1).every(({ value }: { value: unknown }) => value === null)).toBe(true)
  expect(config).toEqual({ title: 'Heart rate', y_range: [40, 180] })
})

// spec 4.9:4
it.each(metricNames)(
  'the sandbox returns a graph of %s for the requested dates with the requested title',
  async (parameter) => {
    const { token } = await scannedUser(10)
    const request = { parameter, title: 'Mine', start: '2026-03-08', stop: '2026-03-10' }
    const { data, config } = (await widget('graph', request, token)).body
    expect(data.map(({ label }: { label: string }) => label)).toEqual(['03-08', '03-09', '03-10'])
    expect(data.at(-1).value).toBeGreaterThan(0)
    expect(config).toEqual({ title: 'Mine', y_range: [0, 100] })
  },
)

// spec 7:2
it.each([
  [
    'biomarker',
    { face_scan_id: '00000000-0000-4000-8000-000000000000', parameter: 'mood' },
    'body.data.parameter',
  ],
  ['biomarker', { face_scan_id: 'nonsense', parameter: 'heart_rate' }, 'body.data.face_scan_id'],
  ['biomarker', { parameter: 'heart_rate' }, 'body.data.face_scan_id'],
  ['metric', { parameter: 'heart_rate' }, 'body.data.parameter'],
  ['metric', {}, 'body.data.parameter'],
  ['graph', { parameter: 'mood' }, 'body.data.parameter'],
  ['graph', { parameter: 'heart_rate', start: 'monday' }, 'body.data.start'],
  ['graph', { parameter: 'heart_rate', start: '2026-03-02', stop: '2026-03-01' }, 'body.data.start'],
  ['graph', { parameter: 'heart_rate', start: '2020-01-01', stop: '2026-03-01' }, 'body.data.start'],
])('the sandbox returns 422 for a %s widget with an invalid field', async (name, data, where) => {
  const { token } = await scannedUser(1)
  const reply = await widget(name, data, token)
  expect([reply.status, reply.body.detail.map(({ loc }: { loc: unknown[] }) => loc.join('.'))]).toEqual([
    422,
    [where],
  ])
})

it('the sandbox returns 404 for a widget of another user’s scan', async () => {
  const [mine, theirs] = [await scannedUser(1), await scannedUser(1)]
  const request = { face_scan_id: theirs.latest.face_scan_id, parameter: 'heart_rate' }
  const reply = await widget('biomarker', request, mine.token)
  expect([reply.status, reply.body]).toEqual([404, { detail: 'face scan not found' }])
})

// spec 4.9:5
it('the sandbox returns a widget as HTML for a request that does not accept JSON', async () => {
  const { token } = await scannedUser(3)
  const reply = await widget('metric', { parameter: 'hypertension' }, token, { accept: '*/*' })
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(reply.body).toMatch(/^<!doctype html>/)
})
