import { ConfigurationError, RefusedError } from '../../base/errors.ts'
import type { Context } from '../../command/context.ts'
import { defineCommand } from '../../command/define-command.ts'
import { alreadyPrinted } from '../../command/outcome.ts'
import type { ListView, Pen } from '../../output/view.ts'
import type { Finding } from './finding.ts'

const colors: Readonly<Record<Finding['status'], (pen: Pen, text: string) => string>> = {
  ok: (pen, text) => pen.green(text),
  warning: (pen, text) => pen.yellow(text),
  problem: (pen, text) => pen.red(text),
  skipped: (pen, text) => pen.dim(text),
}

const view: ListView<readonly Finding[], Readonly<Finding>> = {
  rows: (findings) => findings,
  columns: [
    { key: 'check', title: 'Check', whole: true, priority: 1 },
    {
      key: 'status',
      title: 'Result',
      whole: true,
      priority: 2,
      cell: ({ status }, pen) => colors[status](pen, status),
    },
    {
      key: 'detail',
      title: 'Detail and next step',
      wrap: true,
      cell: ({ detail, fix }, pen) => (fix ? `${detail} ${pen.cyan(`→ ${fix}`)}` : detail),
    },
    { key: 'fix', title: 'Next step', only: 'machines' },
  ],
  empty: 'nothing was checked',
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

async function offerBundle(ctx: Context, file: string, findings: readonly Finding[]): Promise<void> {
  const { bundleParts, collectBundle, writeBundle } = await import('./bundle.ts')
  ctx.note(['the report contains:', ...bundleParts].join('\n'))
  if (ctx.ask.possible && !(await ctx.ask.confirm(`Write the report to ${file}?`, { default: true }))) {
    throw new RefusedError('no report was written')
  }
  await writeBundle(file, await collectBundle(ctx, findings))
  ctx.note(`wrote ${file}; review it before you send it`)
}
