import { rounded } from '../../base/functions.ts'
import { countOf } from '../../base/text.ts'
import { type BiomarkerName, biomarkerFacts, biomarkerNames, type Zone } from '../../contract/biomarkers.ts'
import { type ChartPoint, curveSymbol, drawLineChart } from '../draw/line-chart.ts'
import { paragraph } from '../text.ts'
import { epochMsOf, formatDate } from '../time.ts'
import type { Terminal } from '../view.ts'
import { numberOrUndefined, type Scan, scansView, sortScans, zonesLine } from './scans.ts'

/** Large charts of the biomarkers in `names`. If `names` is empty, small charts of all biomarkers. */
export function biomarkerChartView(names: readonly BiomarkerName[]): typeof scansView {
  const charts = names.length === 0 ? biomarkerNames.map((name) => [name]) : groupByUnit(names)
  const draw = (scans: readonly Scan[], terminal: Terminal) => {
    if (scans.length === 0) return undefined
    const hasZones = charts.some((chart) => zonesOf(chart, terminal).length > 0)
    // Four lines are left for the title, a note, and the shell prompt.
    const others = 4 + (charts[0]?.length ?? 0) + (hasZones ? 2 : 0)
    const height = names.length === 0 ? 9 : Math.min(24, Math.max(10, terminal.height - others))
    const texts = charts
      .map((chart) => drawChart(scans, chart, height, terminal))
      .join(terminal.pictures ? '\n' : '')
    return hasZones ? `${texts}\n${zonesLine(terminal)}\n` : texts
  }
  return { ...scansView, reference: true, draw }
}

function groupByUnit(names: readonly BiomarkerName[]): BiomarkerName[][] {
  const groups = new Map<string, BiomarkerName[]>()
  for (const name of new Set(names)) {
    const { unit } = biomarkerFacts[name]
    groups.set(unit, [...(groups.get(unit) ?? []), name])
  }
  return [...groups.values()]
}

/** Zones for a chart. A chart of two biomarkers shows no zones, because their zones would overlap. */
function zonesOf([name, ...others]: readonly BiomarkerName[], terminal: Terminal): readonly Zone[] {
  return name && others.length === 0 && terminal.pictures && terminal.reference
    ? biomarkerFacts[name].zones
    : []
}

/** A chart of biomarkers with one unit. If `terminal.pictures` is false, one sentence per biomarker. */
function drawChart(
  scans: readonly Scan[],
  names: readonly BiomarkerName[],
  height: number,
  terminal: Terminal,
): string {
  const sorted = sortScans(scans)
  const curves = names.map((name) => ({
    ...biomarkerFacts[name],
    points: sorted.flatMap((scan) => {
      const at = epochMsOf(scan.timestamp)
      const value = numberOrUndefined(scan[name])
      return at === undefined || value === undefined ? [] : [{ at, value }]
    }),
  }))
  if (!terminal.pictures) return curves.map((curve) => describeCurve(curve, terminal)).join('')
  const headings = curves.map(({ label, unit, points }, index) => {
    const last = points.at(-1)
    if (!last) return `${label}: no values\n`
    const symbol = curves.length > 1 ? `${curveSymbol(index, terminal)} ` : ''
    return `${symbol}${terminal.bold(label)} in ${unit}, latest ${describePoint(last)}\n`
  })
  const drawn = curves.map(({ points }) => points)
  if (drawn.flat().length === 0) return headings.join('')
  const chart = { curves: drawn, zones: zonesOf(names, terminal), width: terminal.width, height }
  return `${headings.join('')}${drawLineChart(chart, terminal)}`
}

function describePoint({ at, value }: ChartPoint): string {
  return `${rounded(value)} on ${formatDate(at)}`
}

function describeCurve(
  { label, unit, points }: { label: string; unit: string; points: readonly ChartPoint[] },
  terminal: Terminal,
): string {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return `${label}: no values\n`
  const heading = `${label} in ${unit}, ${countOf(points.length, 'scan')}`
  if (points.length === 1) return `${paragraph(`${heading}: ${describePoint(last)}`, terminal)}\n`
  const values = points.map(({ value }) => value)
  const extremes = `lowest ${rounded(Math.min(...values))}, highest ${rounded(Math.max(...values))}`
  const ends = `from ${describePoint(first)} to ${describePoint(last)}`
  return `${paragraph(`${heading}: ${ends}, ${extremes}`, terminal)}\n`
}
