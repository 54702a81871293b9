import { ConfigurationError, RefusedError, UsageError } from '../../base/errors.ts'
import { alreadyPrinted } from '../../framework/command-result.ts'
import type { Context } from '../../framework/context.ts'
import { defineCommand } from '../../framework/define-command.ts'
import { flag, toggle } from '../../framework/options.ts'
import { outputFile } from '../../framework/values.ts'
import type { ListView } from '../../output/view.ts'
import { prepareFile } from '../save-file.ts'
import { bundleParts, collectBundle, toBundleText } from './bundle.ts'
import { type Finding, runChecks } from './finding.ts'
import { localChecks } from './local-checks.ts'
import { networkChecks } from './network-checks.ts'

const colors = { ok: 'green', warning: 'yellow', problem: 'red', skipped: 'dim' } as const

const view: ListView<readonly Finding[], Readonly<Finding>> = {
  rows: (findings) => findings,
  columns: [
    { key: 'check', title: 'Check', whole: true, priority: 1 },
    {
      key: 'status',
      title: 'Result',
      whole: true,
      priority: 2,
      cell: ({ status }, terminal) => terminal[colors[status]](status),
    },
    {
      key: 'detail',
      title: 'Detail and next step',
      wrap: true,
      cell: ({ detail, fix }, terminal) => (fix ? `${detail} ${terminal.cyan(`→ ${fix}`)}` : detail),
    },
    { key: 'fix', title: 'Next step', only: 'machines' },
  ],
  empty: 'nothing was checked',
}

export default defineCommand({
  output: async () => (await import('./finding.ts')).findings,
  failures: ['refused'],
  view,
  options: {
    network: toggle('--network', 'also check the certificate, clock, latency, and key'),
    bundle: flag('--bundle <file>', 'write a support report without secrets to this file', outputFile),
  },
  description:
    'Checks the installation and the configuration, even if the configuration is invalid. Sends nothing without --network. Exits with code 13 if a check finds a problem.',
  examples: [
    'facescan doctor',
    'facescan doctor --network',
    'facescan doctor --bundle facescan-support.json',
  ],
  async run(ctx, { network, bundle }) {
    if (bundle !== undefined && ctx.flags.dryRun)
      throw new UsageError('doctor --bundle does not support --dry-run')
    const checks = [...localChecks(ctx), ...(network ? networkChecks(ctx) : [])]
    const findings = await runChecks(checks, ctx)
    await ctx.print(findings, view)
    if (bundle !== undefined) await offerBundle(ctx, bundle, findings)
    const problems = findings.filter(({ status }) => status === 'problem').length
    if (problems > 0) throw new ConfigurationError(`${problems} of ${findings.length} checks found a problem`)
    return alreadyPrinted
  },
})

async function offerBundle(ctx: Context, file: string, findings: readonly Finding[]): Promise<void> {
  const save = await prepareFile(ctx, file)
  ctx.note(['the report contains:', ...bundleParts].join('\n'))
  if (ctx.ask.possible && !(await ctx.ask.confirm(`Write the report to ${file}?`, { default: true }))) {
    throw new RefusedError('canceled; no report was written')
  }
  await save(toBundleText(await collectBundle(ctx, findings)))
  ctx.note(`wrote ${file}; review it before you send it`)
}
