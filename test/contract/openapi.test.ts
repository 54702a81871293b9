import { expect, it } from 'vitest'
import { endpoints } from '../../src/contract/index.ts'
import { openApi } from '../../src/contract/openapi.ts'

interface Operation {
  operationId: string
  description: string
  security: object[]
  parameters?: { name: string; in: string; required: boolean }[]
  responses: Record<string, object>
}

const document = openApi('1.2.3', 'http://127.0.0.1:4010')
const paths = document['paths'] as Record<string, Record<string, Operation>>

// spec 4.9:1
it('the OpenAPI file contains each endpoint once, with its section, credentials, and success responses', () => {
  for (const [, endpoint] of endpoints()) {
    const operation = paths[endpoint.path]?.[endpoint.method.toLowerCase()]
    expect(operation?.description).toContain(`section ${endpoint.section}`)
    expect(operation?.security.flatMap(Object.keys)).toEqual([...endpoint.credentials])
    expect(Object.keys(operation?.responses ?? {})).toEqual(
      expect.arrayContaining(Object.keys(endpoint.replies)),
    )
  }
  const operations = Object.values(paths).flatMap(Object.values) as Operation[]
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(endpoints().length)
})

// spec 4.5:3
it('the OpenAPI file lists the user ID parameters of each endpoint, and requires a parameter if it is the only one', () => {
  const parameters = (path: string, method: string) =>
    paths[path]?.[method]?.parameters
      ?.filter(({ name }) => /user_id$/.test(name))
      .map(({ name, in: place, required }) => [name, place, required])
  expect(parameters('/v2/metrics', 'get')).toEqual([['external_user_id', 'query', true]])
  expect(parameters('/v2/users', 'get')).toEqual([
    ['external_user_id', 'query', false],
    ['user_id', 'query', false],
  ])
  expect(parameters('/v2/users/{user_id}', 'put')).toEqual([['user_id', 'path', true]])
})

it('the OpenAPI file uses the format date-time only for times with a zone designator', () => {
  for (const path of ['/v2/face-scans/latest', '/v2/metrics'])
    expect(JSON.stringify(paths[path]?.['get']?.responses)).toContain('"format":"date-time"')
  expect(JSON.stringify(paths['/v2/userjourneys/scan'])).not.toContain('date-time')
})

it('the OpenAPI file contains exactly the schemas to which it refers', () => {
  const references = JSON.stringify(document).match(/#\/components\/schemas\/\w+/g) ?? []
  const { schemas } = document['components'] as { schemas: object }
  const known = Object.keys(schemas).map((name) => `#/components/schemas/${name}`)
  expect(new Set(references)).toEqual(new Set(known))
})
