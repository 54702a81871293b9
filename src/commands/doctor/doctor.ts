import { ConfigurationError, RefusedError } from '../../base/errors.ts'
import type { Context } from '../../command/context.ts'
import { defineCommand } from '../../command/define-command.ts'
import { alreadyPrinted } from '../../command/outcome.ts'
import { wrap } from '../../output/text.ts'
import type { DrawnView, ListView, Pen } from '../../output/view.ts'
import type { Finding } from './finding.ts'

const list: ListView<readonly Finding[], Readonly<Finding>> = {
  kind: 'list',
  rows: (findings) => findings,
  columns: [
    { key: 'check', title: 'Check' },
    { key: 'status', title: 'Result' },
    { key: 'detail', title: 'Detail' },
    { key: 'fix', title: 'Next step', cell: ({ fix }) => fix ?? '' },
  ],
  empty: 'nothing was checked',
}

const view: DrawnView<readonly Finding[]> = { kind: 'drawn', draw: drawFindings, data: list }

const marks: Readonly<Record<Finding['status'], (pen: Pen) => string>> = {
  ok: (pen) => pen.green(pen.pictures ? '✓' : 'ok:     '),
  warning: (pen) => pen.yellow(pen.pictures ? '!' : 'warning:'),
  problem: (pen) => pen.red(pen.pictures ? '✗' : 'problem:'),
  skipped: (pen) => pen.dim(pen.pictures ? '·' : 'skipped:'),
}

/** One complete line for each finding, with the next step below it. */
function drawFindings(findings: readonly Finding[], pen: Pen): string | undefined {
  if (!pen.terminal) return undefined
  const titleWidth = Math.max(...findings.map(({ check }) => check.length))
  const indent = (pen.pictures ? 4 : 11) + titleWidth
  const textWidth = Math.max(20, pen.width - indent)
  return findings
    .flatMap(({ check, status, detail, fix }) => {
      const [first = '', ...more] = wrap(detail, textWidth)
      const fixes = fix
        ? wrap(fix, textWidth - 2).map((line, index) => `${index === 0 ? '→' : ' '} ${line}`)
        : []
      return [
        `${marks[status](pen)} ${pen.bold(check.padEnd(titleWidth))}  ${first}`,
        ...more.map((line) => ' '.repeat(indent) + line),
        ...fixes.map((line) => ' '.repeat(indent) + pen.cyan(line)),
      ]
    })
    .map((line) => `${line}\n`)
    .join('')
}

export default defineCommand({
  output: async () => (await import('./schema.ts')).findings,
  failures: ['refused'],
  view,
  options: [
    ['--network', 'also check the connection: certificate, clock, latency, key'],
    ['--bundle <file>', 'write a support report without secrets to this file'],
  ],
  description:
    'Checks the installation and the configuration, even if the configuration is invalid. Sends nothing without --network. Exits with 13 if a check fails.',
  examples: [
    'facescan doctor',
    'facescan doctor --network',
    'facescan doctor --bundle facescan-support.json',
  ],
  async run(ctx, { network, bundle }) {
    const findings = await examine(ctx, network)
    await ctx.print(findings, view)
    if (bundle !== undefined) await offerBundle(ctx, bundle, findings)
    const problems = findings.filter(({ status }) => status === 'problem').length
    if (problems > 0) throw new ConfigurationError(`${problems} of ${findings.length} checks found a problem`)
    return alreadyPrinted
  },
})

async function examine(ctx: Context, network: boolean): Promise<Finding[]> {
  const [{ runChecks }, { localChecks }, { networkChecks }] = await Promise.all([
    import('./finding.ts'),
    import('./local-checks.ts'),
    import('./network-checks.ts'),
  ])
  return runChecks([...localChecks(ctx), ...(network ? networkChecks(ctx) : [])], ctx.signal)
}

/** Show the contents of the bundle before it is written. */
async function offerBundle(ctx: Context, file: string, findings: readonly Finding[]): Promise<void> {
  const { collectBundle, writeBundle } = await import('./bundle.ts')
  const parts = await collectBundle(ctx, findings)
  ctx.note(['the report contains:', ...parts.map(({ name, summary }) => `${name}: ${summary}`)].join('\n'))
  if (ctx.ask.possible && !(await ctx.ask.confirm(`Write it to ${file}?`, { default: true }))) {
    throw new RefusedError('no report was written')
  }
  await writeBundle(file, parts)
  ctx.note(`wrote ${file}; review it before you send it`)
}
