/** A part of the tour: the reason, and the commands that a person would type. */
export interface Step {
  title: string
  why: string
  lines: readonly string[]
  /** Expected exit code of the last command (default 0). */
  exits?: number
}

const user = 'demo-001'

export const steps: readonly Step[] = [
  {
    title: 'Create a user',
    why: 'Use any ID from your own system. The service stores only its hash.',
    lines: [`facescan users create ${user} --sex F --birth-date 1984-02-29 --language nl`],
  },
  {
    title: 'Create a scan link',
    why: 'The user opens this link and scans their face. stdout contains only the link.',
    lines: [`facescan scan-url ${user}`],
  },
  {
    title: 'Create an action token',
    why: 'A front end uses this token to access the data of one user. It is valid for a few hours.',
    lines: [`facescan token ${user}`],
  },
  {
    title: 'Record thirty days of scans',
    why: 'The sandbox records synthetic scans. The same seed gives the same values.',
    lines: [`facescan sandbox scan ${user} --count 30 --days 30 --seed 7`],
  },
  {
    title: 'Read the biomarkers',
    why: 'The latest five scans. Add -o csv for a spreadsheet, or --json for a script.',
    lines: [`facescan biomarkers latest ${user} --count 5`],
  },
  {
    title: 'Read the health metrics',
    why: 'Six scores with their confidence. With --jq, a script reads a single value.',
    lines: [`facescan metrics ${user}`, `facescan metrics ${user} --jq .metrics.sleep_quality.score`],
  },
  {
    title: 'Read the wellbeing scores',
    why: 'Three scores, compared with people of the same age and sex.',
    lines: [`facescan wellbeing ${user}`],
  },
  {
    title: 'Read the recommendations',
    why: 'The texts are in the user’s language. Use --language to select another language.',
    lines: [`facescan recommendations ${user}`],
  },
  {
    title: 'Many users at once',
    why: 'Create users from a file, and then a scan link for each user, for example for a mail merge.',
    lines: [
      'facescan users import examples/staff.csv',
      'facescan scan-url --users examples/staff.csv --keep language --out links.csv',
    ],
  },
  {
    title: 'Import answers: an invalid file',
    why: 'The file has 216 answers for 24 users. Three rows are invalid, so nothing is sent.',
    lines: ['facescan answers import examples/answers.csv'],
    exits: 2,
  },
  {
    title: 'Import answers: only the valid rows',
    why: 'The invalid rows are saved in a file. Fix them there and import that file.',
    lines: ['facescan answers import examples/answers.csv --skip-invalid'],
    exits: 10,
  },
  {
    title: 'Create a dashboard link',
    why: 'The user’s results on one page, in French. Each link can be used only once.',
    lines: [`facescan dashboard-url ${user} --language fr`],
  },
]
