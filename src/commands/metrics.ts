import { defineCommand } from '../command.ts'
import { type MetricName, metricLabels, metricNames } from '../contract/values.ts'
import type { ListView } from '../output/view.ts'
import { externalId } from './who.ts'

interface MetricRow {
  metric: MetricName
  score: number | null
  confidence: number | null
}

type Metric = { score: number; confidence: number } | null | undefined

interface Metrics {
  metrics: Readonly<Partial<Record<MetricName, Metric>>>
  last_update: string
}

const view: ListView<Metrics | null, MetricRow> = {
  kind: 'list',
  rows: (value) => (value === null ? [] : metricNames.map((name) => toRow(name, value.metrics[name]))),
  columns: [
    { key: 'metric', title: 'Metric', cell: ({ metric }) => metricLabels[metric] },
    {
      key: 'score',
      title: 'Score (%)',
      align: 'right',
      cell: ({ score }) => (score === null ? 'not known yet' : String(score)),
    },
    {
      key: 'confidence',
      title: 'Confidence (%)',
      align: 'right',
      cell: ({ confidence }) => (confidence === null ? '–' : String(confidence)),
    },
  ],
  empty: 'No metrics yet: the user has not scanned. Hand out a link with: facescan scan-url',
}

function toRow(metric: MetricName, value: Metric): MetricRow {
  return { metric, score: value?.score ?? null, confidence: value?.confidence ?? null }
}

export default defineCommand({
  user: 'external',
  description:
    'Higher is better for all six, risk and stress included. A metric appears once enough scans exist.',
  examples: [
    'facescan metrics --external-user-id 4711',
    'facescan metrics --external-user-id 4711 --jq .metrics.sleep_quality.score',
  ],
  async run(ctx, _args, options) {
    const api = await ctx.api()
    await ctx.print(await api.metrics({ user: externalId(options) }), view)
  },
})
