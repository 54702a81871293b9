import * as z from 'zod/mini'
import { type EndpointName, endpoints, type ReplyOf } from './index.ts'
import { toLenient } from './lenient.ts'

/** The schema of the result of an endpoint. An empty response is null. */
export function replySchema<Name extends EndpointName>(name: Name): z.core.$ZodType<ReplyOf<Name>> {
  const endpoint = new Map(endpoints()).get(name)
  const replies = Object.values(endpoint?.replies ?? {}).map((reply) => {
    if (reply === 'png') throw new Error(`the response of ${name} is an image, not JSON`)
    return reply === null ? z.null() : toLenient(reply)
  })
  const [first = z.null(), ...rest] = replies
  return (rest.length === 0 ? first : z.union([first, ...rest])) as z.core.$ZodType<ReplyOf<Name>>
}
