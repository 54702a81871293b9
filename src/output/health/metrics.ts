import { fieldsOf } from '../../base/json.ts'
import { type MetricName, metricLabels, metricNames } from '../../contract/biomarkers.ts'
import { gauge, paragraph } from '../text.ts'
import { epochMsOf, formatRelative } from '../time.ts'
import type { Column, ListView, RecordView, Terminal } from '../view.ts'
import { numberOrUndefined, referenceLine } from './scans.ts'

/** Health metrics (spec 2.3a). Null or undefined if the response was empty. */
type HealthMetrics = Readonly<{ metrics: object; last_update?: unknown }> | null | undefined

/** A score and its confidence in percent. Null if the service has no data. */
interface Metric {
  metric: string
  score: number | null
  confidence: number | null
}

/** The metrics of the specification in their order, then other metrics in the response. */
export function readMetrics(value: HealthMetrics): Metric[] {
  const metrics = fieldsOf(value?.metrics)
  return [...new Set([...metricNames, ...Object.keys(metrics)])].map((metric) => {
    const { score, confidence } = fieldsOf(metrics[metric])
    return {
      metric,
      score: numberOrUndefined(score) ?? null,
      confidence: numberOrUndefined(confidence) ?? null,
    }
  })
}

/** Labels that explain a score of 100, for metrics whose names suggest that a high score is bad. */
const labelsWithMeaning: Readonly<Record<string, string>> = {
  hypertension: `${metricLabels.hypertension} (100 is low risk)`,
  mental_health_risk: `${metricLabels.mental_health_risk} (100 is low risk)`,
  mental_stress: `${metricLabels.mental_stress} (100 is little stress)`,
}

/** Minimum width of a terminal that can show the scores and the longest label in `labelsWithMeaning`. */
const widthWithMeaning =
  Math.max(...Object.values(labelsWithMeaning).map(({ length }) => length)) + '  Score  Confidence %'.length

/** Width of the columns beside the bar. */
const widthOfOthers = 65

function describeMetrics(value: HealthMetrics, terminal: Terminal): string {
  const updatedAt = epochMsOf(value?.last_update)
  const updated = updatedAt === undefined ? '' : ` Updated ${formatRelative(updatedAt, terminal.now)}.`
  const direction = terminal.reference ? '' : ' The service does not define whether a higher score is better.'
  const text = `Scores and confidence range from 0 to 100.${direction}${updated}`
  const scale = terminal.dim(paragraph(text, terminal))
  if (!terminal.reference) return scale
  return `${scale}\n${referenceLine('This tool, not the service, defines what 100 means.', terminal)}`
}

export const metricsView: ListView<HealthMetrics, Metric> = {
  subject: 'Health metrics',
  reference: true,
  rows: (value) => (value ? readMetrics(value) : []),
  columns: [
    {
      key: 'metric',
      title: 'Metric',
      whole: true,
      cell: showName,
    },
    {
      key: 'bar',
      title: '',
      whole: true,
      only: 'pictures',
      priority: -1,
      cell: ({ score }, terminal) =>
        score === null
          ? terminal.dim('no data yet')
          : gauge(score, Math.max(10, Math.min(30, terminal.width - widthOfOthers)), terminal),
    },
    { key: 'score', title: 'Score', align: 'right' },
    { key: 'confidence', title: 'Confidence %', align: 'right' },
  ],
  after: describeMetrics,
  empty: 'no metrics yet; metrics appear after enough face scans',
}

function showName({ metric }: Metric, { isTTY, reference, width }: Terminal): string {
  const label = (isTTY && metricLabels[metric as MetricName]) || metric
  return (isTTY && reference && width >= widthWithMeaning && labelsWithMeaning[metric]) || label
}

export const metricsOfUserView: RecordView<HealthMetrics> = {
  columns: [
    ...metricNames.flatMap((name): Column<HealthMetrics>[] => {
      const read = (value: HealthMetrics) => readMetrics(value).find(({ metric }) => metric === name)
      return [
        { key: name, title: metricLabels[name], align: 'right', value: (value) => read(value)?.score },
        {
          key: `${name}_confidence`,
          title: 'Confidence %',
          only: 'machines',
          value: (value) => read(value)?.confidence,
        },
      ]
    }),
    { key: 'last_update', title: 'Updated', time: true, value: (value) => value?.last_update },
  ],
}
