// The screens of the gallery. They run in this order in one temporary home, so a later screen sees the data of an earlier one.
//   line     the command line
//   size     columns and rows (default 80x24)
//   look     dark (default), light, no-color or dumb
//   type     answers to type: [text to wait for, keys]; the last picture is taken when the command ends
//   shownAt  takes the picture when this text appears, and then stops the command
//   picture  also written to examples/screenshots, for the README
//   env      environment variables
//   hidden   only prepares data

const enter = '\r'
const down = '\x1b[B'

/** Runs the same command on screens of all sizes. */
const inAllSizes = (line) => ['80x24', '100x30', '140x40'].map((size) => ({ line, size }))

const answer = '--external-user-id 4711 --timezone Europe/Amsterdam'

const production = { FACESCAN_API_KEY: 'k'.repeat(40), FACESCAN_BASE_URL: 'https://service.invalid' }

const rows = (count) =>
  `external_user_id,lookup_key,value,timezone\n${'4711,height,180,Europe/Amsterdam\n'.repeat(count)}`

/** Files in the working directory of the commands. */
export const files = { 'small.csv': rows(5), 'large.csv': rows(100_000) }

export const screens = [
  { line: 'facescan' },
  { line: 'facescan', size: '140x40', look: 'light' },
  { line: 'facescan users get --help' },
  { line: 'facescan help exit-codes', look: 'no-color' },
  {
    line: 'facescan users create',
    size: '90x24',
    picture: 'users-create',
    type: [
      ['External user ID', `4711${enter}`],
      ['Date of birth', `1984-02-29${enter}`],
      ['Sex at birth', `${down}${down}${enter}`],
      ['Default language', `${down}${down}${enter}`],
      ['Preferred units', enter],
    ],
  },
  { line: 'facescan sandbox scan 4711 --count 30 --days 60 --seed 7', hidden: true },
  { line: 'facescan users get 4711' },
  { line: 'facescan users get 4711', look: 'light' },
  { line: 'facescan users get 4711', look: 'dumb' },
  { line: 'facescan users get 4712' },
  { line: 'facescan users gte 4711' },
  { line: 'facescan users update 4711 --language sv --dry-run', size: '90x24', picture: 'dry-run' },
  { line: 'facescan users update 4711 --language nl' },
  { line: 'facescan users delete 4711', shownAt: '?' },
  ...inAllSizes('facescan biomarkers list 4711'),
  { line: 'facescan biomarkers list 4711', size: '90x45', picture: 'biomarkers' },
  {
    line: 'facescan biomarkers list 4711 --limit 30 --chart=heart_rate',
    size: '90x45',
    picture: 'chart',
  },
  { line: 'facescan biomarkers compare 4711 --before 2099-01-01 --after 2099-01-01', size: '100x30' },
  { line: 'facescan metrics 4711', size: '80x45', picture: 'metrics' },
  { line: 'facescan metrics 4711', look: 'light' },
  { line: 'facescan metrics 4711', look: 'no-color' },
  { line: 'facescan wellbeing 4711' },
  { line: 'facescan summary physical --external-user-id 4711' },
  { line: 'facescan recommendations 4711' },
  { line: 'facescan answers keys', size: '100x30' },
  { line: `facescan answers save wieght 80 ${answer}` },
  { line: `facescan answers save weight 80 ${answer}` },
  { line: 'facescan answers list 4711' },
  { line: 'facescan answers import examples/answers.csv --dry-run' },
  { line: 'facescan answers import examples/answers.csv --results . --skip-invalid', size: '100x30' },
  { line: 'facescan answers import small.csv --results .' },
  { line: 'facescan answers import large.csv --results .', shownAt: '/s' },
  ...inAllSizes('facescan imports list'),
  ...inAllSizes('facescan history list'),
  { line: 'facescan history verify' },
  { line: 'facescan scan-url 4711 --qr' },
  { line: 'facescan scan-url 4711 --qr', size: '100x45' },
  { line: 'facescan status' },
  { line: 'facescan status', env: production },
  { line: 'facescan users get 4711', env: production, size: '100x30' },
  { line: 'facescan users update 4711 --language nl --yes', env: production },
  { line: 'facescan doctor', size: '100x30' },
  { line: 'facescan profiles list' },
  { line: 'facescan profiles show ACM' },
  { line: 'facescan profiles add ACME-DEV --base-url http://127.0.0.1:9', shownAt: 'ey' },
  { line: 'facescan demo', size: '100x30', shownAt: '2 ' },
  { line: 'facescan demo --no-input', size: '100x120' },
]
