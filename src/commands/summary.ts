import type { ReplyOf } from '../contract/index.ts'
import { languageNames, languages, type SummaryProfile, summaryProfiles } from '../contract/values.ts'
import { commandResult } from '../framework/command-result.ts'
import { defineCommand } from '../framework/define-command.ts'
import { flag, optionalArgument } from '../framework/options.ts'
import { oneNamed, oneOf } from '../framework/values.ts'
import type { Column, ListView } from '../output/view.ts'
import { actingAs } from './reach-user.ts'

/** Parses the name of a dimension. The service accepts only `energy_sleep`, so other spellings of this name are converted. */
function dimension(text: string): SummaryProfile {
  return oneOf(summaryProfiles)(/^(sleep[_-]energy|energy-sleep)$/.test(text) ? 'energy_sleep' : text)
}

type WellbeingSummary = { dimension: SummaryProfile } & ReplyOf<'summary'>

const columns: readonly Column<WellbeingSummary>[] = [
  { key: 'dimension', title: 'Dimension', whole: true },
  { key: 'feedback', title: 'Feedback', wrap: true },
  { key: 'tip', title: 'Tip', wrap: true },
]

const view: ListView<WellbeingSummary | readonly WellbeingSummary[], WellbeingSummary> = {
  subject: 'Summary',
  rows: (value) => ('dimension' in value ? [value] : value),
  columns,
  empty: 'no summary',
}

export default defineCommand({
  user: 'token',
  many: { rowFlags: ['language'] },
  // The JSON of one summary, or of the summaries of all dimensions.
  output: async () => {
    const { array, enum: oneIn, looseObject, string, union } = await import('zod/mini')
    const summary = looseObject({ dimension: oneIn(summaryProfiles), feedback: string(), tip: string() })
    return union([summary, array(summary)])
  },
  calls: ['summary'],
  view,
  args: {
    dimension: optionalArgument(
      '[dimension]',
      'wellbeing dimension; if omitted, the three dimensions',
      dimension,
      { choices: summaryProfiles },
    ),
  },
  options: {
    language: flag('--language <code>', 'language of the text', oneNamed(languages, languageNames), {
      default: 'en',
    }),
  },
  examples: [
    'facescan summary 4711',
    'facescan summary 4711 mental',
    'facescan summary 4711 energy_sleep --language de',
  ],
  async run(ctx, { dimension, language, user }) {
    const api = await actingAs(ctx, user)
    const read = async (profile: SummaryProfile) => {
      const summary = await api.summary({ params: { profile }, query: { language } })
      return { dimension: profile, ...summary }
    }
    if (dimension !== undefined)
      return commandResult(await read(dimension), { view: { subject: 'Summary', columns } })
    return Promise.all(summaryProfiles.map(read))
  },
})
