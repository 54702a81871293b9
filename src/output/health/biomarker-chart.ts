import { countOf } from '../../base/text/count.ts'
import { type BiomarkerName, biomarkerFacts, biomarkerNames } from '../../contract/values.ts'
import { drawLineChart, type Point } from '../draw/line-chart.ts'
import { paragraph } from '../text.ts'
import { epochMsOf, formatDate } from '../time.ts'
import type { DrawnView, Pen } from '../view.ts'
import { type Scan, scansView, sortScans } from './biomarkers.ts'
import { formatNumber, numberOrUndefined } from './number.ts'
import { zonesLine } from './reference.ts'

function readPoints(scans: readonly Scan[], name: BiomarkerName): Point[] {
  return sortScans(scans).flatMap((scan) => {
    const at = epochMsOf(scan.timestamp)
    const value = numberOrUndefined(scan[name])
    return at === undefined || value === undefined ? [] : [{ at, value }]
  })
}

function describeInWords(points: readonly Point[], name: BiomarkerName): string {
  const { label, unit } = biomarkerFacts[name]
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return `${label}: no values`
  const values = points.map(({ value }) => value)
  const extremes = `lowest ${formatNumber(Math.min(...values))}, highest ${formatNumber(Math.max(...values))}`
  const ends = `from ${formatNumber(first.value)} on ${formatDate(first.at)} to ${formatNumber(last.value)} on ${formatDate(last.at)}`
  return `${label} in ${unit}, ${countOf(points.length, 'scan')}: ${ends}, ${extremes}`
}

function drawChart(scans: readonly Scan[], name: BiomarkerName, height: number, pen: Pen): string {
  const points = readPoints(scans, name)
  const last = points.at(-1)
  if (!pen.pictures || !last) return `${paragraph(describeInWords(points, name), pen)}\n`
  const { label, unit, zones } = biomarkerFacts[name]
  const heading = `${pen.bold(label)} ${pen.dim(unit)}  ${formatNumber(last.value)} on ${formatDate(last.at)}`
  const chart = { points, zones: pen.reference ? zones : [], width: pen.width, height }
  return `${heading}\n${drawLineChart(chart, pen)}`
}

/** Line charts that fit the terminal: a large chart of one biomarker, or small charts of all biomarkers. */
export function biomarkerChartView(name?: BiomarkerName): DrawnView<readonly Scan[]> {
  const names = name === undefined ? biomarkerNames : [name]
  const hasZones = names.some((each) => biomarkerFacts[each].zones.length > 0)
  const draw = (scans: readonly Scan[], pen: Pen) => {
    if (scans.length === 0) return undefined
    const height = name === undefined ? 9 : Math.min(24, Math.max(10, pen.height - 4))
    const charts = names.map((each) => drawChart(scans, each, height, pen)).join(pen.pictures ? '\n' : '')
    const isLegendNeeded = pen.pictures && pen.reference && hasZones
    return isLegendNeeded ? `${charts}\n${zonesLine(pen)}\n` : charts
  }
  return { kind: 'drawn', reference: true, draw, data: scansView }
}
