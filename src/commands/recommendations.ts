import { defineCommand } from '../command.ts'
import { languages } from '../contract/values.ts'
import type { ListView } from '../output/view.ts'
import { eitherId } from './who.ts'

interface Recommendation {
  title: string
  description: string
  relevance: number
  lookup_key: string
  related_metric?: string | null | undefined
  action_text?: string | null | undefined
  action_url?: string | null | undefined
  image_url?: string | null | undefined
}

const view: ListView<{ recommendations: readonly Recommendation[] }, Recommendation> = {
  kind: 'list',
  rows: ({ recommendations }) => [...recommendations].sort((a, b) => a.relevance - b.relevance),
  columns: [
    { key: 'relevance', title: '#', align: 'right' },
    { key: 'title', title: 'Recommendation' },
    { key: 'description', title: 'Why' },
    { key: 'related_metric', title: 'Metric' },
    { key: 'lookup_key', title: 'Key', only: 'machines' },
    { key: 'action_text', title: 'Action', only: 'machines' },
    { key: 'action_url', title: 'Link', only: 'machines', whole: true },
    { key: 'image_url', title: 'Image', only: 'machines', whole: true },
  ],
  empty: 'no recommendations for this user yet',
}

export default defineCommand({
  user: 'token',
  options: [
    ['--language <code>', 'language of the texts; the user’s own where absent', { choices: languages }],
  ],
  examples: [
    'facescan recommendations --external-user-id 4711',
    'facescan recommendations --external-user-id 4711 --language es -o ndjson',
  ],
  async run(ctx, _args, { language, ...who }) {
    const api = await ctx.api()
    const user = api.credentialKind === 'token' ? undefined : eitherId(who)
    await ctx.print(await api.recommendations({ user, query: { language } }), view)
  },
})
