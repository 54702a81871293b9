/**
 * The endpoints, parameters, and response fields in the specification, written independently of src/contract. The rules in prose are in
 * src/contract/README.md. `values` defines the kinds of values, such as `external ID`.
 */

export interface EndpointClauses {
  section: string
  call: string
  accepts: 'key' | 'token' | 'both' | 'none'
  status: number
  reply: string
  /** Maps each parameter to the kind of its value. The key of a parameter is its place and name, such as `query user_id`. */
  parameters?: Record<string, string>
}

const externalId = { 'query external_user_id': 'required external ID' }
const eitherId = { ...externalId, 'query user_id': 'alternative UUID' }
const eitherIdInBody = { 'body external_user_id': 'required external ID', 'body user_id': 'alternative UUID' }
const language = { 'query language': 'language' }
const userFields = {
  'body birth_date': 'date',
  'body sex': 'sex',
  'body language': 'user language',
  'body preferred_unit_system': 'unit system',
}

export const endpointClauses: Record<string, EndpointClauses> = {
  'users.create': {
    section: '4.1',
    call: 'POST /v2/users',
    accepts: 'key',
    status: 201,
    reply: 'the user',
    parameters: { 'body external_user_id': 'required external ID', ...userFields },
  },
  'users.get': {
    section: '4.1',
    call: 'GET /v2/users',
    accepts: 'key',
    status: 200,
    reply: 'the user',
    parameters: eitherId,
  },
  'users.update': {
    section: '4.1',
    call: 'PUT /v2/users/{user_id}',
    accepts: 'key',
    status: 200,
    reply: 'the user',
    parameters: { 'path user_id': 'required UUID', 'body external_user_id': 'external ID', ...userFields },
  },
  'users.authenticate': {
    section: '4.1',
    call: 'POST /v2/users/authenticate',
    accepts: 'key',
    status: 201,
    reply: 'an action token',
    parameters: eitherIdInBody,
  },
  'users.delete': {
    section: '4.1',
    call: 'DELETE /v2/users/',
    accepts: 'key',
    status: 204,
    reply: 'no body',
    parameters: { 'query user_id': 'required UUID' },
  },
  scanUrl: {
    section: '4.2',
    call: 'GET /v2/userjourneys/scan',
    accepts: 'key',
    status: 200,
    reply: 'a URL',
    parameters: { ...eitherId, ...language, 'query expire_at': 'time without a zone' },
  },
  'biomarkers.get': {
    section: '4.3',
    call: 'GET /v2/face-scans/{face_scan_id}',
    accepts: 'both',
    status: 200,
    reply: 'one biomarker record',
    parameters: { 'path face_scan_id': 'required UUID', ...externalId },
  },
  'biomarkers.list': {
    section: '4.3',
    call: 'GET /v2/face-scans/',
    accepts: 'both',
    status: 200,
    reply: 'a list of biomarker records',
    parameters: {
      ...externalId,
      'query start': 'time',
      'query end': 'time',
      'query order': 'order',
      'query count': 'count',
    },
  },
  'biomarkers.latest': {
    section: '4.3',
    call: 'GET /v2/face-scans/latest',
    accepts: 'both',
    status: 200,
    reply: 'a list of biomarker records',
    parameters: { ...externalId, 'query count': 'count' },
  },
  metrics: {
    section: '4.4',
    call: 'GET /v2/metrics',
    accepts: 'key',
    status: 200,
    reply: 'the health metrics',
    parameters: externalId,
  },
  wellbeing: {
    section: '4.4',
    call: 'GET /v2/userprofiles/wellbeing',
    accepts: 'both',
    status: 200,
    reply: 'the wellbeing scores',
    parameters: externalId,
  },
  summary: {
    section: '4.4',
    call: 'GET /v2/userprofiles/summary/{profile}',
    accepts: 'token',
    status: 200,
    reply: 'feedback and tip',
    parameters: { 'path profile': 'required profile', 'query language': 'required language' },
  },
  'questions.all': {
    section: '4.5',
    call: 'GET /v2/questions/all',
    accepts: 'key',
    status: 200,
    reply: 'a list of lookup keys',
  },
  'questions.answered': {
    section: '4.5',
    call: 'GET /v2/questions/answered',
    accepts: 'key',
    status: 200,
    reply: 'a page of answered questions',
    parameters: externalId,
  },
  'questions.answer': {
    section: '4.5',
    call: 'POST /v2/questions/answer',
    accepts: 'key',
    status: 201,
    reply: 'the saved answer',
    parameters: {
      ...eitherId,
      'body lookup_key': 'required lookup key',
      'body value': 'required integer',
      'body timezone': 'required time zone',
    },
  },
  'questions.answerMany': {
    section: '4.5',
    call: 'POST /v2/questions/answer/many',
    accepts: 'both',
    status: 201,
    reply: 'a list of saved answers',
    parameters: {
      ...eitherId,
      'body 0.lookup_key': 'required lookup key',
      'body 0.value': 'required integer',
      'body 0.timezone': 'required time zone',
    },
  },
  dashboardUrl: {
    section: '4.6',
    call: 'POST /v2/dashboards/health',
    accepts: 'key',
    status: 201,
    reply: 'a URL',
    parameters: {
      ...eitherIdInBody,
      'body language': 'language',
      'body disabled_sections': 'list of texts',
    },
  },
  recommendations: {
    section: '4.7',
    call: 'GET /v2/recommendations',
    accepts: 'both',
    status: 200,
    reply: 'a list of recommendations',
    parameters: { ...eitherId, ...language },
  },
  ceLabel: {
    section: '4.8',
    call: 'GET /v1/regulatory/ce-label',
    accepts: 'none',
    status: 200,
    reply: 'a PNG image',
  },
  'widgets.biomarker': {
    section: '4.9',
    call: 'POST /v2/widgets/biomarker',
    accepts: 'token',
    status: 200,
    reply: 'biomarker widget data',
    parameters: { 'body data.face_scan_id': 'required UUID', 'body data.parameter': 'required biomarker' },
  },
  'widgets.metric': {
    section: '4.9',
    call: 'POST /v2/widgets/metric',
    accepts: 'token',
    status: 200,
    reply: 'metric widget data',
    parameters: { 'body data.parameter': 'required metric' },
  },
  'widgets.graph': {
    section: '4.9',
    call: 'POST /v2/widgets/graph',
    accepts: 'token',
    status: 200,
    reply: 'graph widget data',
    parameters: {
      'body data.parameter': 'required biomarker or metric',
      'body data.title': 'text',
      'body data.start': 'date of this year',
      'body data.stop': 'date of this year',
    },
  },
}

const biomarkers = {
  face_scan_id: 'UUID',
  heart_rate: 'number',
  respiratory_rate: 'number',
  heart_rate_variability: 'number',
  resonant_breathing_score: 'number',
  systolic_blood_pressure: 'number',
  diastolic_blood_pressure: 'number',
  timestamp_epoch: 'integer',
  timestamp: 'time with a fraction and an offset',
}
const metric = (name: string) => ({
  [name]: 'object, nullable',
  [`${name}.score`]: 'percentage with two decimals',
  [`${name}.confidence`]: 'percentage with two decimals',
})
const saved = { lookup_key: 'text', value: 'integer', user_id: 'UUID' }
const each = (prefix: string, fields: Record<string, string>) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${prefix}.${name}`, value]))
const measure = (name: string) => ({
  [name]: 'object, optional',
  [`${name}.value`]: 'number',
  [`${name}.unit`]: 'text',
})
const user = {
  user_id: 'UUID',
  external_user_id: 'text, nullable',
  customer: 'text',
  birth_date: 'date, nullable',
  sex: 'sex, nullable',
  language: 'user language, nullable',
  preferred_unit_system: 'unit system, nullable',
}

export interface ReplyClauses {
  section: string
  endpoints: string[]
  /** The kind of value of each field, by its path. `0` is the first item of a list. */
  fields: Record<string, string>
}

export const replyClauses: ReplyClauses[] = [
  { section: '2.1', endpoints: ['users.create', 'users.get', 'users.update'], fields: user },
  {
    section: '2.1',
    endpoints: ['users.get'],
    fields: { ...measure('weight'), ...measure('height'), hypertension: 'integer, optional' },
  },
  { section: '2.2', endpoints: ['users.authenticate'], fields: { token: 'text' } },
  { section: '2.3', endpoints: ['biomarkers.get'], fields: biomarkers },
  { section: '2.3', endpoints: ['biomarkers.list', 'biomarkers.latest'], fields: each('0', biomarkers) },
  {
    section: '2.3a',
    endpoints: ['metrics'],
    fields: {
      metrics: 'object',
      ...metric('metrics.energy_balance'),
      ...metric('metrics.general_fitness'),
      ...metric('metrics.hypertension'),
      ...metric('metrics.mental_health_risk'),
      ...metric('metrics.mental_stress'),
      ...metric('metrics.sleep_quality'),
      last_update: 'time with an offset',
    },
  },
  {
    section: '2.4',
    endpoints: ['wellbeing'],
    fields: {
      mental: 'percentage',
      physical: 'percentage',
      energy_sleep: 'percentage',
      status_label: 'status label, optional',
    },
  },
  { section: '2.5', endpoints: ['summary'], fields: { feedback: 'text', tip: 'text' } },
  { section: '2.6', endpoints: ['questions.answer'], fields: saved },
  { section: '2.6', endpoints: ['questions.answerMany'], fields: each('0', saved) },
  {
    section: '2.6',
    endpoints: ['questions.answered'],
    fields: each('items.0', {
      question_lookup_key: 'text',
      answer: 'integer',
      score: 'integer, nullable',
      health_scan_id: 'text',
      local_timestamp: 'time with an offset',
    }),
  },
  {
    section: '4.5',
    endpoints: ['questions.answered'],
    fields: {
      items: 'list',
      pagination: 'object',
      'pagination.page': 'integer',
      'pagination.page_size': 'integer',
      'pagination.total_pages': 'integer',
      'pagination.total_items': 'integer',
      'pagination.next_page': 'integer, nullable',
    },
  },
  { section: '4.5', endpoints: ['questions.all'], fields: { '0': 'text' } },
  {
    section: '2.7',
    endpoints: ['recommendations'],
    fields: each('recommendations.0', {
      title: 'text',
      description: 'text',
      action_url: 'URL',
      action_text: 'text',
      image_url: 'URL',
      related_metric: 'metric',
      relevance: 'integer from 1',
      lookup_key: 'text',
    }),
  },
  { section: '4.7', endpoints: ['recommendations'], fields: { recommendations: 'list' } },
  {
    section: '2.8',
    endpoints: ['widgets.biomarker'],
    fields: {
      ...each('data', {
        value: 'number',
        name: 'text',
        unit: 'text',
        range: 'pair of numbers',
        percentage: 'number',
        zone: 'text',
        optimum: 'number',
        gradientstops: 'pair of numbers',
        title: 'text',
      }),
      'config.face_scan_id': 'text',
      'config.parameter': 'text',
    },
  },
  {
    section: '2.8',
    endpoints: ['widgets.metric'],
    fields: {
      ...each('data', {
        title: 'text',
        name: 'text',
        value: 'number, nullable',
        value_str: 'text, nullable',
        unit: 'text, nullable',
        range: 'pair of numbers, nullable',
        percentage: 'number, nullable',
        zone: 'text, nullable',
        optimum: 'number, nullable',
        locked: 'boolean',
      }),
      'config.parameter': 'text',
    },
  },
  {
    section: '2.8',
    endpoints: ['widgets.graph'],
    fields: {
      data: 'list',
      ...each('data.0', {
        value: 'number, nullable',
        hint: 'text',
        label: 'text',
        timestamp: 'text',
      }),
      'config.title': 'text',
      'config.y_range': 'pair of numbers',
      'config.y_range.0': 'number, nullable',
      'config.y_range.1': 'number, nullable',
    },
  },
]

interface Samples {
  valid: unknown[]
  invalid: unknown[]
}

const languages = ['nl', 'da', 'en', 'fr', 'de', 'es', 'sv']
const userLanguages = ['en', 'nl', 'fr', 'da', 'sv']
const biomarkerNames = Object.keys(biomarkers).slice(1, 7)
const metricNames = [
  'energy_balance',
  'general_fitness',
  'hypertension',
  'mental_health_risk',
  'mental_stress',
  'sleep_quality',
]
const lookupKeys = [
  'height',
  'weight',
  'balance_coordination',
  'hours_sport_week',
  'daily_activities',
  'nightly_wake_ups',
  'feeling_stressed_last_month',
  'struggling_irritations_last_month',
  'things_your_way_last_month',
  'average_sleep_hours',
  'age',
  'parental_hypertension',
  'smoking',
]

/** Valid and invalid samples of each kind of value. Each test adds its own valid IDs. */
export const values: Record<string, Samples> = {
  text: { valid: ['text'], invalid: [7, true, {}] },
  'external ID': { valid: [], invalid: ['', 7] },
  UUID: { valid: [], invalid: ['4711', '0b9c', 7] },
  URL: { valid: ['https://example.com/a'], invalid: ['text', 7] },
  number: { valid: [0, 61.5], invalid: ['61.5', true] },
  integer: { valid: [0, 7, -3], invalid: [1.5, '7', true] },
  'integer from 1': { valid: [1, 2], invalid: [0, 1.5, '1'] },
  count: { valid: ['1', '10'], invalid: ['0', '-1', '1.5', '1e1', 'ten'] },
  percentage: { valid: [0, 49.123, 100], invalid: [-1, 100.1, '50'] },
  'percentage with two decimals': { valid: [0, 87.5, 67.37, 100], invalid: [-1, 100.1, 67.375, '50'] },
  boolean: { valid: [true, false], invalid: ['true', 1] },
  object: { valid: [], invalid: [7, 'text', []] },
  list: { valid: [], invalid: [7, 'text', {}] },
  'list of texts': {
    valid: [[], ['main', 'metrics', 'biomarkers', 'recommendations', 'todos']],
    invalid: ['main', [7]],
  },
  'pair of numbers': { valid: [[0, 1.5]], invalid: [[0], [0, 1, 2], ['0', '1'], 7] },
  date: { valid: ['1990-02-28'], invalid: ['1990-02-30', '28-02-1990', 7] },
  'date of this year': { valid: ['2026-03-10'], invalid: ['2026-02-30', '2026-3-1', 7] },
  time: {
    valid: ['2026-01-01T00:00:00', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00.5+01:00'],
    invalid: ['yesterday', '2026-02-30T00:00:00'],
  },
  'time without a zone': {
    valid: ['2027-01-01T00:00:00'],
    invalid: ['2027-01-01T00:00:00Z', '2027-01-01T00:00:00+01:00', 'tomorrow'],
  },
  'time with an offset': { valid: ['2026-01-01T00:00:00+01:00'], invalid: ['2026-01-01T00:00:00', 7] },
  'time with a fraction and an offset': {
    valid: ['2026-01-01T00:00:00.123456+00:00'],
    invalid: ['2026-01-01T00:00:00+00:00', '2026-01-01T00:00:00.123', 7],
  },
  'time zone': { valid: ['UTC', 'Europe/Amsterdam'], invalid: ['+01:00', 'Mars/Base', 7] },
  sex: { valid: ['M', 'F'], invalid: ['X', 'm', 7] },
  language: { valid: languages, invalid: ['xx', 'EN', 'eng'] },
  'user language': { valid: userLanguages, invalid: ['de', 'es', 'xx', 7] },
  'unit system': { valid: ['metric', 'imperial'], invalid: ['us', 7] },
  order: { valid: ['asc', 'desc'], invalid: ['up', 'ASC'] },
  profile: { valid: ['physical', 'mental', 'energy_sleep'], invalid: ['sleep', 'Mental'] },
  'status label': { valid: ['GLN', 'UUU'], invalid: ['GL', 'GLNU', 'gln', 'GLX', 7] },
  'lookup key': { valid: lookupKeys, invalid: ['', 'shoe_size', 7] },
  biomarker: { valid: biomarkerNames, invalid: ['', 'sleep_quality', 7] },
  metric: { valid: metricNames, invalid: ['', 'heart_rate', 7] },
  'biomarker or metric': { valid: [...biomarkerNames, ...metricNames], invalid: ['', 'shoe_size', 7] },
}
