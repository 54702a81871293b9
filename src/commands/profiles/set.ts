import { UsageError } from '../../base/errors.ts'
import { languageNames, languages } from '../../contract/values.ts'
import { defineCommand } from '../../framework/define-command.ts'
import { perSecond } from '../../framework/many/options.ts'
import { type Flag, flag, toggle } from '../../framework/options.ts'
import { nonEmpty, oneNamed, oneOf, timeZone } from '../../framework/values.ts'
import { baseUrlFlag } from '../../http/base-url.ts'
import { outputFormats } from '../../output/settings.ts'
import { setProfile } from '../../profiles/edit-profiles.ts'
import { guardProfile } from '../../profiles/guard-profile.ts'
import { assertNoKey } from '../../profiles/key-command.ts'
import { type ProfileShown, showProfile } from '../../profiles/list-profiles.ts'
import { protections, type SettingName, type SettingValues } from '../../profiles/settings.ts'
import { agreeOnBaseUrl, changed, editsProfile } from './edits-profile.ts'

/** New settings that reduce a profile's protection, or the evidence of changes made with it. */
function weakenings(
  { name, protect: level, audit_command: command }: ProfileShown,
  { protect, auditCommand }: SettingValues,
  ignoreAuditFailure: boolean,
): string[] {
  const isLower = protect && protections.indexOf(protect) > protections.indexOf(level)
  const evenIf = ignoreAuditFailure ? ' (even if it fails)' : ''
  const isOther = command !== null && auditCommand !== undefined && auditCommand !== command
  return [
    ...(isLower ? [`lower the protection for ${name} from ${level} to ${protect}`] : []),
    ...(isOther
      ? [`${auditCommand === '' ? 'remove' : 'replace'} the audit command of ${name}${evenIf}`]
      : []),
  ]
}

/** Checks the default for a flag. Returns the text unchanged, because the flag parses the default later. */
function setting(parse: (text: string) => unknown) {
  return (text: string): string => {
    if (text !== '') parse(text)
    return text
  }
}

const onOrOff = oneOf(['on', 'off'])
const isOn = Object.assign((text: string) => onOrOff(text) === 'on', { choices: onOrOff.choices })

const settingFlags = {
  protect: flag('--protect <level>', 'protection level', oneOf(protections), {
    remark: 'see `facescan help profiles`',
  }),
  baseUrl: flag('--base-url <url>', 'base URL of the service', baseUrlFlag),
  keyCommand: flag('--key-command <command>', 'command that prints the key', nonEmpty),
  auditCommand: flag(
    '--audit-command <command>',
    'command that receives audit entries (empty: remove)',
    (text) => text.trim(),
  ),
  reference: flag('--reference <state>', 'show facescan’s own reference values', isOn),
  timezone: flag('--timezone <zone>', 'default time zone of answers', setting(timeZone)),
  language: flag('--language <code>', 'default language of texts', (text) =>
    text === '' ? '' : oneNamed(languages, languageNames)(text),
  ),
  rate: flag('--rate <n/s>', 'default maximum requests per second', setting(perSecond)),
  output: flag('--output <format>', 'default output format', setting(oneOf(outputFormats))),
} satisfies Record<SettingName, Flag<unknown>>

export default defineCommand({
  ...editsProfile,
  options: {
    ...settingFlags,
    ignoreAuditFailure: toggle('--ignore-audit-failure', 'replace the audit command even if it fails'),
  },
  examples: [
    'facescan profiles set ACME --protect read-only',
    "facescan profiles set ACME --audit-command 'logger -t facescan'",
  ],
  async run(ctx, { profile: name, ignoreAuditFailure, ...changes }) {
    const { baseUrl, keyCommand, auditCommand } = changes
    if (Object.values(changes).every((value) => value === undefined)) {
      throw new UsageError('nothing to change; pass at least one setting, such as --protect or --timezone', {
        hint: 'See: facescan profiles set --help',
      })
    }
    if (ignoreAuditFailure && auditCommand === undefined) {
      throw new UsageError(
        '--ignore-audit-failure needs --audit-command, because it only replaces an audit command',
      )
    }
    if (keyCommand) assertNoKey(keyCommand)
    if (auditCommand) assertNoKey(auditCommand, undefined, '--audit-command')
    const before = await showProfile(ctx.paths, name, ctx.clock.now())
    for (const what of weakenings(before, changes, ignoreAuditFailure))
      await guardProfile(name, what, ctx, { weakens: true })
    if (baseUrl !== undefined) await agreeOnBaseUrl(ctx, before, baseUrl)
    await setProfile({ ...ctx, ignoreAuditFailure }, name, changes)
    return changed(ctx, name, { done: `Updated profile ${name}` })
  },
})
