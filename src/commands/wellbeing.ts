import { defineCommand } from '../command.ts'
import type { ListView } from '../output/view.ts'
import { reachUser } from './who.ts'

type Score = number | { score: number; assessment?: string | null | undefined }

interface Wellbeing {
  mental: Score
  physical: Score
  energy_sleep: Score
  status_label?: string | null | undefined
}

interface Row {
  dimension: string
  score: number
  status: string | null
}

/** The order in which status_label speaks (specification, section 2.4). */
const dimensions = ['physical', 'mental', 'energy_sleep'] as const
const labels: Readonly<Record<string, string>> = {
  physical: 'Physical',
  mental: 'Mental',
  energy_sleep: 'Energy and sleep',
}
const statuses: Readonly<Record<string, string>> = {
  U: 'unknown',
  L: 'suboptimal',
  N: 'average',
  G: 'optimal',
}

function toRows(value: Wellbeing): Row[] {
  return dimensions.map((dimension, index) => {
    const score = value[dimension]
    const letter = value.status_label?.[index]
    const assessment = typeof score === 'number' ? undefined : score.assessment
    return {
      dimension,
      score: typeof score === 'number' ? score : score.score,
      status: (letter && statuses[letter]) ?? assessment ?? null,
    }
  })
}

const view: ListView<Wellbeing, Row> = {
  kind: 'list',
  rows: toRows,
  columns: [
    { key: 'dimension', title: 'Dimension', cell: ({ dimension }) => labels[dimension] ?? dimension },
    { key: 'score', title: 'Score (50 is average)', align: 'right' },
    { key: 'status', title: 'Status', cell: ({ status }) => status ?? '–' },
  ],
  empty: '',
}

export default defineCommand({
  user: 'token',
  description: 'Scores run from 0 to 100, given age and sex: 50 is average, more is better.',
  examples: [
    'facescan wellbeing --external-user-id 4711',
    'facescan wellbeing --external-user-id 4711 --json=status_label',
  ],
  async run(ctx, _args, options) {
    const { api, user } = await reachUser(await ctx.api(), options)
    await ctx.print(await api.wellbeing({ user }), view)
  },
})
