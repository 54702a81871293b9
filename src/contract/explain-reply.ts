import type { Endpoint } from './endpoint.ts'
import { endpoints } from './index.ts'

/** What is wrong with a reply, a line for each problem; none where it is one that the contract knows. */
export function explainReply({ method, path }: Endpoint, status: number, value: unknown): string[] {
  const definition = endpoints().find(([, one]) => one.method === method && one.path === path)?.[1]
  const schema = definition?.replies[status]
  if (schema === undefined || schema === null || schema === 'png') return []
  const issues = schema.safeParse(value).error?.issues ?? []
  return issues.map(({ path, message }) => `${path.join('.') || 'reply'}: ${plain(message)}`)
}

function plain(message: string): string {
  return message.replace('Invalid input: ', '').replace(/^expected .*, received undefined$/, 'missing')
}
