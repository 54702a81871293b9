import { beforeAll, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { endpoints } from '../../src/contract/index.ts'
import { openApi } from '../../src/contract/openapi.ts'
import { handlers } from '../../src/sandbox/service.ts'
import { useSandbox } from '../sandbox/fixture.ts'
import { createPerson, locate, type Person, type Sample, samples } from '../sandbox/samples.ts'
import { endpointRows, fieldRows, parameterRows } from './clauses.ts'
import { endpointClauses, replyClauses, values } from './specification.ts'

const fixture = useSandbox()
const contract = new Map(endpoints())
let person: Person

beforeAll(async () => {
  person = await createPerson(fixture)
})

/**
 * Sends a valid request after `change` has edited it. The request contains the external user ID, or a token if the endpoint needs a
 * token.
 */
async function send(name: string, change: (sample: Sample) => void = () => undefined) {
  const { accepts, call } = endpointClauses[name]!
  const byToken = accepts === 'token'
  const owner = name === 'users.delete' ? await createPerson(fixture) : person
  const sample = samples[name]!(owner, byToken ? {} : { external_user_id: person.externalUserId })
  change(sample)
  const { method, path } = locate(call, sample)
  return fixture.call(method, path, { body: sample.body, ...(byToken && { token: owner.token }) })
}

function samplesOf(word: string) {
  const found = values[word]
  if (found) return found
  throw new Error(`"${word}" has no samples. Add it to \`values\` in test/contract/specification.ts.`)
}

const titled = <Row extends { title: string }>(rows: Row[]) => rows.map((row) => [row.title, row] as const)

type Parts = Record<string, unknown>

function change(target: unknown, path: string[], edit: (parent: Parts, name: string) => void): void {
  const [name = '', ...rest] = path
  if (rest.length === 0) edit(target as Parts, name)
  else change((target as Parts)[name], rest, edit)
}

const remove = (parent: Parts, name: string) => {
  delete parent[name]
}
const setTo = (value: unknown) => (parent: Parts, name: string) => {
  parent[name] = value
}

test.each(titled(endpointRows))('the endpoint matches the specification: %s', async (_, { name, check }) => {
  const { call, status, accepts, section } = endpointClauses[name]!
  const endpoint = contract.get(name)!
  if (check === 'reply') {
    expect([endpoint.section, `${endpoint.method} ${endpoint.path}`]).toEqual([section, call])
    expect((await send(name)).status).toBe(status)
  } else if (check === 'refusal') {
    const { method, path } = locate(call, samples[name]!(person, {}))
    const reply = await fetch(fixture.sandbox.url + path, { method })
    expect([reply.status, await reply.json()]).toEqual([401, { detail: expect.any(String) }])
  } else {
    const kinds = { key: ['key'], token: ['token'], both: ['key', 'token'], none: [] }
    expect(endpoint.credentials).toEqual(kinds[accepts])
  }
})

test.each(titled(parameterRows))(
  'the parameter matches the specification: %s',
  async (_, { name, parameter, value, isRequired, isAlternative }) => {
    const [place = '', dotted = ''] = parameter.split(' ')
    const path = [place, ...dotted.split('.')]
    const { status } = endpointClauses[name]!
    const refused = place === 'body' ? 422 : 400
    const edited = async (edit: (parent: Parts, name: string) => void) =>
      (await send(name, (sample) => change(sample, path, edit))).status
    if (isAlternative) {
      expect(await edited(setTo(person.userId)), 'both identifiers').toBe(refused)
      const alone = (parent: Parts, name: string) => {
        remove(parent, 'external_user_id')
        parent[name] = person.userId
      }
      expect(await edited(alone)).toBe(status)
      return
    }
    if (place !== 'path') expect(await edited(remove), 'missing').toBe(isRequired ? refused : status)
    const { valid, invalid } = samplesOf(value)
    for (const sample of valid) expect([sample, await edited(setTo(sample))]).toEqual([sample, status])
    const sendable = place === 'body' ? invalid : invalid.filter((sample) => typeof sample === 'string')
    for (const sample of sendable) expect([sample, await edited(setTo(sample))]).toEqual([sample, refused])
  },
)

/** Replaces the handler of an endpoint with a handler that records the query parameters it reads. Returns the recorded names. */
function watchQuery(name: string): Set<string> {
  const [resource, verb] = name.split('.') as [keyof typeof handlers, string | undefined]
  const read = new Set<string>()
  const get = (query: object, parameter: string) => {
    read.add(parameter)
    return Reflect.get(query, parameter)
  }
  const load = handlers[resource]
  const watched = async () => {
    const loaded = Reflect.get(await load(), resource)
    const handle = verb === undefined ? loaded : Reflect.get(loaded, verb)
    const watch = (request: { query: object }) =>
      handle({ ...request, query: new Proxy(request.query, { get }) })
    return { [resource]: verb === undefined ? watch : { [verb]: watch } }
  }
  Reflect.set(handlers, resource, watched)
  onTestFinished(() => void Reflect.set(handlers, resource, load))
  return read
}

test.each([...contract].filter(([, { query }]) => query))(
  'the sandbox reads every query parameter of %s',
  async (name, { query }) => {
    const read = watchQuery(name)
    expect((await send(name)).status).toBe(endpointClauses[name]!.status)
    const unread = Object.keys(query!.shape).filter((parameter) => !read.has(parameter))
    expect(unread, 'use each parameter in its handler in src/sandbox/handlers').toEqual([])
  },
)

const replies = new Map<string, Promise<{ status: number; body: unknown }>>()

/** Edits a response of the sandbox. Returns whether the strict schema accepts it. */
async function checkReply(name: string, path: string[], edit: (parent: Parts, name: string) => void) {
  const cached = replies.get(name) ?? send(name)
  replies.set(name, cached)
  const { status, body } = await cached
  const root = { body: structuredClone(body) }
  change(root, ['body', ...path], edit)
  const schema = contract.get(name)!.replies[status] as z.core.$ZodType
  return z.safeParse(schema, root.body).success
}

test.each(titled(fieldRows))(
  'the response field matches the specification: %s',
  async (_, { name, path, value, isOptional, isNullable }) => {
    const { valid, invalid } = samplesOf(value)
    const accepts = (edit: (parent: Parts, name: string) => void) => checkReply(name, path, edit)
    expect(await accepts((parent, field) => expect(field in parent || isOptional).toBe(true))).toBe(true)
    if (!/^\d+$/.test(path.at(-1)!)) expect(await accepts(remove), 'missing').toBe(isOptional)
    expect(await accepts(setTo(null)), 'null').toBe(isNullable)
    for (const sample of valid) expect([sample, await accepts(setTo(sample))]).toEqual([sample, true])
    for (const sample of invalid) expect([sample, await accepts(setTo(sample))]).toEqual([sample, false])
  },
)

interface Schema {
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}

/** Paths of all values in a JSON schema. Objects are excluded, and a list counts as one value. */
function pathsOf(schema: Schema, prefix: string[] = []): string[] {
  const { properties, items, anyOf } = schema
  if (anyOf) return [...new Set(anyOf.flatMap((part) => ('properties' in part ? pathsOf(part, prefix) : [])))]
  const nested = (inner: Schema, name: string) => {
    const paths = pathsOf(inner, [...prefix, name])
    return paths.length > 0 ? paths : [[...prefix, name].join('.')]
  }
  if (properties) return Object.entries(properties).flatMap(([name, inner]) => nested(inner, name))
  return items?.properties ? pathsOf(items, [...prefix, '0']) : []
}

interface Operation {
  parameters?: { in: string; name: string }[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
  responses: Record<string, { content?: { 'application/json'?: { schema: Schema } } }>
}

const paths = openApi('1.2.3', 'http://127.0.0.1:4010')['paths'] as Record<string, Record<string, Operation>>

test.each(Object.entries(endpointClauses))(
  '%s has only the parameters and response fields of the specification',
  (name, { call, status, parameters = {} }) => {
    const [method = '', path = ''] = call.split(' ')
    const { parameters: listed = [], requestBody, responses } = paths[path]![method.toLowerCase()]!
    const body = pathsOf(requestBody?.content['application/json'].schema ?? {})
    const found = [...listed.map((each) => `${each.in} ${each.name}`), ...body.map((each) => `body ${each}`)]
    // The specification does not name the parameter for a page, so `page` is not compared.
    const named = found.filter((each) => each !== 'query page').toSorted()
    expect(named, 'list each parameter in test/contract/specification.ts').toEqual(
      Object.keys(parameters).toSorted(),
    )
    const fields = pathsOf(responses[status]?.content?.['application/json']?.schema ?? {})
    const expected = replyClauses
      .filter(({ endpoints }) => endpoints.includes(name))
      .flatMap(({ fields }) => Object.entries(fields))
      .filter(([each, value]) => !/^(object|list)\b(?! of)/.test(value) && !/\d$/.test(each))
      .map(([each]) => each)
    expect(fields.toSorted()).toEqual(expected.toSorted())
  },
)
