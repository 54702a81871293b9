import { type MetricName, metricLabels } from '../contract/biomarkers.ts'
import type { ReplyOf } from '../contract/index.ts'
import { languageNames, languages } from '../contract/values.ts'
import { defineCommand } from '../framework/define-command.ts'
import { limitOf, limitOptions } from '../framework/limit.ts'
import { flag } from '../framework/options.ts'
import { oneNamed } from '../framework/values.ts'
import type { ListView } from '../output/view.ts'

type Recommendations = ReplyOf<'recommendations'>
type Recommendation = Recommendations['recommendations'][number]

const view: ListView<Recommendations, Recommendation> = {
  subject: 'Recommendations',
  rows: ({ recommendations }) => recommendations,
  columns: [
    { key: 'relevance', title: '#', align: 'right' },
    { key: 'title', title: 'Recommendation', wrap: true, priority: 2 },
    { key: 'description', title: 'Description', wrap: true, priority: 1 },
    {
      key: 'related_metric',
      title: 'Metric',
      cell: ({ related_metric: key }, { isTTY }) => (isTTY && metricLabels[key as MetricName]) || (key ?? ''),
    },
    { key: 'lookup_key', title: 'Key', only: 'machines' },
    { key: 'action_text', title: 'Action', only: 'machines' },
    { key: 'action_url', title: 'Link', only: 'machines', whole: true },
    { key: 'image_url', title: 'Image', only: 'machines', whole: true },
  ],
  empty: 'no recommendations for this user yet',
}

export default defineCommand({
  user: 'token',
  many: { rowFlags: ['language', 'limit'] },
  output: 'recommendations',
  view,
  options: {
    language: flag('--language <code>', 'language of the text', oneNamed(languages, languageNames), {
      remark: 'default: the user’s language',
    }),
    ...limitOptions('recommendations'),
  },
  examples: ['facescan recommendations 4711', 'facescan recommendations 4711 --language es -o ndjson'],
  async run(ctx, { user, language, ...options }) {
    const api = await ctx.api()
    const reply = await api.recommendations({ user, query: { language } })
    const recommendations = reply.recommendations.toSorted((a, b) => a.relevance - b.relevance)
    return { ...reply, recommendations: recommendations.slice(0, limitOf(options)) }
  },
})
