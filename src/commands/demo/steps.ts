/** One stop of the tour: why, and the command lines that a person would type. */
export interface Step {
  title: string
  why: string
  lines: readonly string[]
  /** Exit code the last line is meant to have, where that is the point. */
  exits?: number
}

const user = '--external-user-id demo-001'

export const steps: readonly Step[] = [
  {
    title: 'A user',
    why: 'Everything begins with one of your users. You choose the id; the service keeps only its hash.',
    lines: [`facescan users create ${user} --sex F --birth-date 1984-02-29 --language nl`],
  },
  {
    title: 'A scan link',
    why: 'The link opens the face scan for this user; this one ends with the tour. Bare on stdout, so that $(…) and pipes work.',
    lines: [`facescan scan-url ${user}`],
  },
  {
    title: 'An action token',
    why: 'For a front end that acts for one user. It reads what that user may read, and nothing else.',
    lines: [`facescan token ${user}`],
  },
  {
    title: 'Thirty days of scans',
    why: 'No camera here, so the sandbox records plausible ones. The same seed gives the same month.',
    lines: [`facescan sandbox scan ${user} --count 30 --days 30 --seed 7`],
  },
  {
    title: 'Biomarkers',
    why: 'The last five scans, with units. For a spreadsheet add -o csv, for a script --json.',
    lines: [`facescan biomarkers list ${user} --order desc --count 5`],
  },
  {
    title: 'Metrics',
    why: 'Six scores with their confidence; higher is better. With --jq a script takes just what it needs.',
    lines: [`facescan metrics ${user}`, `facescan metrics ${user} --jq .metrics.sleep_quality.score`],
  },
  {
    title: 'Wellbeing',
    why: 'Three scores for age and sex: 50 is average. The label of the service is read out.',
    lines: [`facescan wellbeing ${user}`],
  },
  {
    title: 'Recommendations, in Dutch',
    why: 'The user’s language is Dutch. Seven languages exist; --language chooses another one.',
    lines: [`facescan recommendations ${user}`],
  },
  {
    title: 'An import that refuses to guess',
    why: '216 answers of 24 users, straight from a spreadsheet; three rows are wrong. Nothing is sent.',
    lines: ['facescan answers import examples/answers.csv'],
    exits: 2,
  },
  {
    title: 'The same import, good rows only',
    why: 'With your leave the good rows go in, and the bad ones land in a file you can mend and import again.',
    lines: ['facescan answers import examples/answers.csv --skip-invalid'],
    exits: 10,
  },
  {
    title: 'A dashboard link',
    why: 'The user’s own page, in French this time. Make a new link for every visit: each works once.',
    lines: [`facescan dashboard-url ${user} --language fr`],
  },
]

/** Users that the shipped answers belong to, beside the one of the tour. */
export const otherUsers = Array.from(
  { length: 23 },
  (_, index) => `demo-${String(index + 2).padStart(3, '0')}`,
)
