// The screens of the gallery. They run in this order in one temporary home directory, so each screen can use the data of earlier screens.
//   line     the command line, run by bash
//   size     columns and rows (default 80x24)
//   look     dark (default), light, no-color, or dumb
//   type     answers to type: [text to wait for, keys]. The picture is taken when the command ends.
//   shownAt  text to wait for. The picture is then taken, and the command is stopped.
//   picture  name of a file in examples/screenshots for the README
//   env      environment variables
//   hidden   runs the command without a picture, to prepare data
//   background  keeps the command running while other screens are drawn

const enter = '\r'
const down = '\x1b[B'

/** Runs the same command on screens of all sizes. */
const inAllSizes = (line) => ['80x24', '100x30', '140x40'].map((size) => ({ line, size }))

/** Runs the same command with colors, without colors on a large screen, in a pipe, and for screen readers. */
const inAllModes = (line) => [{ line }, ...inOtherModes(line)]
const inOtherModes = (line) => [
  { line, size: '140x40', look: 'no-color' },
  { line: `${line} | cat` },
  { line, env: { ACCESSIBLE: '1' } },
]

const answer = '--timezone Europe/Amsterdam'

/** URL of a sandbox server. Its profiles have keys and its changes are in the audit log, unlike in the built-in sandbox. */
const served = 'http://127.0.0.1:4011'
const addProfile = (name, flags = '') =>
  `facescan sandbox key ${flags} | facescan profiles add ${name} --key-stdin --base-url ${served} ${flags ? '--store file' : ''}`

const day = (daysAgo) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)

const rows = (count) =>
  `external_user_id,lookup_key,value,timezone\n${'4711,height,180,Europe/Amsterdam\n'.repeat(count)}`

/** Files in the working directory of the commands. */
export const files = {
  'small.csv': rows(5),
  'large.csv': rows(100_000),
  'staff.csv': 'external_user_id,email\n4711,ada@example.com\n4720,eve@example.com\n4721,max@example.com\n',
}

export const screens = [
  ...inAllSizes('facescan'),
  { line: 'facescan', look: 'light' },
  { line: 'facescan users get --help' },
  { line: 'facescan users get --help', size: '140x40' },
  { line: 'facescan users create --help' },
  { line: 'facescan help import', size: '100x30' },
  { line: 'facescan help exit-codes', look: 'no-color' },
  { line: 'facescan help flags', size: '80x45' },
  {
    line: 'facescan users create',
    size: '90x24',
    type: [
      ['External user ID', `4711${enter}`],
      ['Date of birth', `1984-02-29${enter}`],
      ['Sex at birth', `${down}${down}${enter}`],
      ['Default language', `${down}${down}${enter}`],
      ['Preferred unit system', enter],
      ['Run this command', enter],
    ],
  },
  { line: 'facescan users create', type: [['External user ID', `4711${enter}`]], shownAt: 'exists' },
  {
    line: 'facescan users create',
    type: [
      ['External user ID', `9${enter}`],
      ['Date of birth', `1850-01-01${enter}`],
    ],
    shownAt: '1900',
  },
  { line: 'facescan users create 4711 --if-not-exists --sex M --language en' },
  {
    line: 'facescan users create',
    env: { ACCESSIBLE: '1' },
    type: [
      ['External user ID', `9${enter}`],
      ['Date of birth', enter],
    ],
    shownAt: 'Sex',
  },
  { line: 'facescan sandbox scan 4711 --count 30 --days 60 --seed 7', hidden: true },
  { line: 'facescan users get 4711' },
  { line: 'facescan users get 4711', look: 'light' },
  { line: 'facescan users get 4711', look: 'dumb' },
  { line: 'facescan users get 4711 | cat' },
  { line: 'facescan users get 4712' },
  { line: 'facescan users gte 4711' },
  { line: 'facescan biomarkers list 8a1e2b4c-0000-4000-8000-000000000000' },
  { line: 'facescan users update 4711 --language sv --dry-run', size: '90x24' },
  { line: 'facescan users update 4711 --language nl' },
  { line: 'facescan users delete 4711', shownAt: '?' },
  ...inAllSizes('facescan biomarkers list 4711'),
  { line: 'facescan biomarkers list 4711', size: '90x45' },
  { line: 'facescan biomarkers list 4711 | head -4', size: '140x40' },
  { line: 'facescan biomarkers latest 4711 --count 5' },
  { line: 'facescan biomarkers latest 4711 --count 5', look: 'light' },
  { line: 'facescan biomarkers latest 4711 --count 5', env: { ACCESSIBLE: '1' }, size: '100x30' },
  {
    line: 'facescan biomarkers list 4711 --limit 30 --chart=heart_rate',
    size: '90x45',
    picture: 'chart',
  },
  { line: `facescan biomarkers compare 4711 --before ${day(30)} --after ${day(30)}` },
  ...inAllModes('facescan biomarkers compare 4711 --days 14'),
  { line: 'facescan biomarkers list 4711 --chart=systolic,diastolic', size: '90x45' },
  { line: 'facescan overview 4711', picture: 'overview' },
  ...inOtherModes('facescan overview 4711'),
  { line: 'facescan overview 4711 --no-truncate' },
  { line: 'facescan overview 4712' },
  ...inAllModes('facescan metrics --users staff.csv'),
  { line: 'facescan metrics 4711', size: '80x45' },
  { line: 'facescan metrics 4711', look: 'light' },
  { line: 'facescan metrics 4711', look: 'no-color' },
  { line: 'facescan metrics 4711', look: 'dumb' },
  { line: 'facescan metrics 4711 -o csv; facescan metrics 4711 -o csv --jq .' },
  { line: 'facescan wellbeing 4711' },
  { line: 'facescan summary 4711 physical' },
  ...inAllSizes('facescan recommendations 4711'),
  { line: 'facescan answers keys' },
  { line: `facescan answers save 4711 wieght=80 ${answer}` },
  { line: `facescan answers save 4711 weight=80 ${answer}` },
  { line: 'facescan answers list 4711' },
  { line: 'facescan answers import examples/answers.csv --dry-run' },
  { line: 'facescan answers import examples/answers.csv --results . --skip-invalid', size: '100x30' },
  { line: 'facescan answers import small.csv --results .' },
  { line: 'facescan answers import large.csv --results .', shownAt: '/s' },
  ...inAllSizes('facescan imports list'),
  { line: 'facescan sandbox serve --port 4011', size: '100x30', shownAt: 'Ctrl-C', background: true },
  { line: addProfile('ACME-DEV') },
  { line: addProfile('ACME', '--production') },
  { line: 'facescan profiles add ACME-DEV --base-url http://127.0.0.1:9', shownAt: 'key' },
  ...inAllSizes('facescan profiles list'),
  { line: 'facescan profiles show ACM' },
  { line: 'facescan users update 4711 --language sv -p ACME', shownAt: '?' },
  { line: 'facescan users update 4711 --language sv -p ACME --yes </dev/null' },
  { line: 'facescan users update 4711 --language sv -p ACME --confirm ACME' },
  { line: 'facescan users delete 4711 -p ACME', shownAt: '?' },
  { line: 'facescan users update 4711 -p ACME', type: [['Date of birth', enter]], shownAt: 'Keep' },
  { line: 'facescan invite staff.csv -p ACME', shownAt: 'Type 3' },
  { line: 'facescan invite staff.csv -p ACME-DEV' },
  ...inAllModes('facescan invite --status staff.links.csv -p ACME-DEV'),
  { line: 'facescan overview 4720 -p ACME-DEV' },
  { line: `facescan scan-url ${'long-'.repeat(12)}4711 --expire-at 2h --dry-run -p ACME-DEV` },
  { line: 'facescan users create 4712 -p ACME-DEV -q', hidden: true },
  ...inAllSizes('facescan history list'),
  { line: 'facescan scan-url 4711 --qr' },
  { line: 'facescan scan-url 4711 --qr', size: '100x45' },
  {
    line: 'facescan scan-url 4711 --wait & sleep 3; facescan sandbox scan 4711 --seed 7 >/dev/null 2>&1; wait',
    size: '100x30',
  },
  { line: 'facescan status' },
  { line: 'facescan status -p ACME' },
  { line: 'facescan doctor', size: '100x30' },
  {
    line: 'facescan metrics 4711',
    env: { FACESCAN_API_KEY: 'wrong', FACESCAN_BASE_URL: 'http://127.0.0.1:9' },
  },
  { line: 'facescan demo --json' },
  { line: 'facescan ce-label' },
  { line: 'facescan demo', size: '80x24', shownAt: '2 ' },
  { line: 'facescan demo --from 6', shownAt: 'step 7' },
  { line: 'facescan demo --no-input', size: '100x120' },
]
