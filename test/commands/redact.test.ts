import { beforeEach, expect, test } from 'vitest'
import { createMachine, type Machine } from '../helpers/facescan.ts'

let machine: Machine
let userId: string

beforeEach(async () => {
  machine = createMachine()
  const created = await machine.facescan('users create --external-user-id ada@example.com --json=user_id')
  userId = JSON.parse(created.stdout).user_id
})

test.each([
  'users get --external-user-id ada@example.com',
  'users get --external-user-id ada@example.com --json',
  'users get --external-user-id ada@example.com -o csv',
  'users get --external-user-id ada@example.com --curl --debug',
  'users update --external-user-id ada@example.com --sex F --dry-run',
  'token --external-user-id ada@example.com',
  'scan-url --external-user-id ada@example.com --json',
  'api GET /v2/users?external_user_id=ada@example.com',
  'users get --external-user-id ada@example.com.missing.ada@example.com',
  'answers save --external-user-id ada@example.com weight nonsense',
])('%s --redact shows no ID, token, or customer', async (line) => {
  const shown = await machine.facescan(`${line} --redact`)
  const all = shown.stdout + shown.stderr
  expect(all).not.toContain(userId)
  expect(all).not.toMatch(/ada(@|%40)example\.com(?!\.)|eyJ|Acme Wellness/)
  expect(all.length).toBeGreaterThan(0)
})

test('--redact also replaces IDs in a request body', async () => {
  const stdin = '{"external_user_id":"grace@example.com","sex":"?"}'
  const shown = await machine.facescan('api POST /v2/users --body - --curl --redact', { stdin })
  expect(shown.stderr).toContain('--data-raw')
  expect(shown.stderr).not.toContain('grace')
})

test('--redact replaces an ID in an unknown path', async () => {
  const shown = await machine.facescan('api GET /v9/orders/order4711?order_id=42 --curl --debug --redact')
  expect(shown.stderr).toContain('/v9/orders/')
  expect(shown.stdout + shown.stderr).not.toMatch(/order4711|=42/)
})

test('the pseudonym of a user is the same in every command on a machine', async () => {
  const line = 'users get --external-user-id ada@example.com --json=user_id --redact'
  const [first, second] = [await machine.facescan(line), await machine.facescan(line)]
  expect(first.stdout).toMatch(/"id-[0-9a-f]{8}"/)
  expect(second.stdout).toBe(first.stdout)
  const elsewhere = createMachine()
  await elsewhere.facescan('users create --external-user-id ada@example.com')
  expect((await elsewhere.facescan(line)).stdout).not.toBe(first.stdout)
})
