// openapi.check.ts compiles a copy of this file. Beside the copy is types.d.ts, which openapi-typescript generated.
// @ts-nocheck
import createClient from 'openapi-fetch'
import type { paths } from './types.d.ts'

const [baseUrl = '', key = ''] = process.argv.slice(2)
const client = createClient<paths>({ baseUrl, headers: { 'x-api-key': key } })

const created = await client.POST('/v2/users', { body: { external_user_id: 'third-party', sex: 'F' } })
const userId: string | undefined = created.data?.user_id
const users = await client.GET('/v2/users', { params: { query: { external_user_id: 'third-party' } } })
const weight: number | undefined = users.data?.weight?.value
const scans = await client.GET('/v2/face-scans/', {
  params: { query: { external_user_id: 'third-party', order: 'desc', count: 2 } },
})
const rate: number | undefined = scans.data?.[0]?.heart_rate
// @ts-expect-error a count is a number
const wrong = () => client.GET('/v2/face-scans/', { params: { query: { count: 'two' } } })
const unknown = await client.GET('/v2/users', { params: { query: { external_user_id: 'nobody' } } })
const detail: string | undefined =
  unknown.error && 'detail' in unknown.error ? String(unknown.error.detail) : ''
process.stdout.write(JSON.stringify({ userId, weight, rate, wrong: typeof wrong, detail }))
