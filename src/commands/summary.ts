import { defineCommand } from '../command/define-command.ts'
import { argument, flag } from '../command/options.ts'
import { oneOf } from '../command/values.ts'
import { languages, type SummaryProfile, summaryProfiles } from '../contract/values.ts'
import { actingAs } from './reach-user.ts'

/** People also write the third profile in other ways; the service accepts only this one. */
function profileName(text: string): SummaryProfile {
  return oneOf(summaryProfiles)(/^(sleep[_-]energy|energy-sleep)$/.test(text) ? 'energy_sleep' : text)
}

export default defineCommand({
  user: 'token',
  many: { rowFlags: ['language'] },
  output: 'summary',
  columns: [
    { key: 'feedback', title: 'Feedback' },
    { key: 'tip', title: 'Tip' },
  ],
  args: { profile: argument('<profile>', 'wellbeing profile', profileName, summaryProfiles) },
  options: {
    language: flag('--language <code>', 'language of the text', oneOf(languages), { default: 'en' }),
  },
  examples: [
    'facescan summary mental --external-user-id 4711',
    'facescan summary energy_sleep --external-user-id 4711 --language de',
  ],
  run: async (ctx, { profile, language, user }) =>
    (await actingAs(ctx, user)).summary({ params: { profile }, query: { language } }),
})
