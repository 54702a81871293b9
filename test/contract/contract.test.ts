import { expect, test } from 'vitest'
import { endpoints, findRoute } from '../../src/contract/index.ts'

// spec 9:1, 5:7
test('the contract contains every endpoint in section 4 of the specification', () => {
  expect(endpoints().map(([, endpoint]) => `${endpoint.method} ${endpoint.path}`)).toEqual([
    'POST /v2/users',
    'GET /v2/users',
    'PUT /v2/users/{user_id}',
    'POST /v2/users/authenticate',
    'DELETE /v2/users/',
    'GET /v2/userjourneys/scan',
    'GET /v2/face-scans/{face_scan_id}',
    'GET /v2/face-scans/',
    'GET /v2/face-scans/latest',
    'GET /v2/metrics',
    'GET /v2/userprofiles/wellbeing',
    'GET /v2/userprofiles/summary/{profile}',
    'GET /v2/questions/all',
    'GET /v2/questions/answered',
    'POST /v2/questions/answer',
    'POST /v2/questions/answer/many',
    'POST /v2/dashboards/health',
    'GET /v2/recommendations',
    'GET /v1/regulatory/ce-label',
    'POST /v2/widgets/biomarker',
    'POST /v2/widgets/metric',
    'POST /v2/widgets/graph',
  ])
})

test.each([
  ['GET', '/v2/face-scans/latest', '/v2/face-scans/latest'],
  ['GET', '/v2/face-scans/0b9c', '/v2/face-scans/{face_scan_id}'],
  ['PUT', '/v2/users/authenticate', '/v2/users/{user_id}'],
  ['DELETE', '/v2/users/', '/v2/users/'],
])('the contract maps the request %s %s to the endpoint %s', (method, path, template) => {
  expect(findRoute(method, path)?.endpoint.path).toBe(template)
})

test('the contract has no endpoint DELETE /v2/users without a final slash', () => {
  expect(findRoute('DELETE', '/v2/users')).toBeUndefined()
})
