import { expect, test } from 'vitest'
import { AddressCheck } from '../../../src/bulk/send/address-check.ts'

/** Unknown users, and the verdict for each of them. */
function unknownUsers(address: AddressCheck, count: number): boolean[] {
  const verdicts: boolean[] = []
  for (let n = 0; n < count; n++) void address.missing().then((isRight) => verdicts.push(isRight))
  return verdicts
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('19 unknown users wait for a verdict, and the 20th shows that the address is wrong', async () => {
  const address = new AddressCheck(false)
  const verdicts = unknownUsers(address, 19)
  await turn()
  expect([verdicts.length, address.waiting]).toEqual([0, 19])
  expect(await address.missing()).toBe(false)
  expect(verdicts).toEqual(Array(19).fill(false))
  expect(address.waiting).toBe(0)
})

test('one other response ends the wait of all unknown users', async () => {
  const address = new AddressCheck(false)
  const before = unknownUsers(address, 19)
  address.prove()
  const after = unknownUsers(address, 30)
  await turn()
  expect([...before, ...after]).toEqual(Array(49).fill(true))
})

test('an address that an earlier run used successfully needs no proof', async () => {
  const verdicts = unknownUsers(new AddressCheck(true), 30)
  await turn()
  expect(verdicts).toEqual(Array(30).fill(true))
})
