import {
  type BiomarkerName,
  biomarkerFacts,
  biomarkerNames,
  type MetricName,
  metricLabels,
  metricNames,
  zoneOf,
} from '../../contract/values.ts'
import type { Handlers } from '../handler.ts'
import { findScan, listScans } from '../records/scans.ts'
import { dashed } from '../records/users.ts'
import { problem, Refusal } from '../refusal.ts'
import { readHealth } from '../scores/metrics.ts'
import { mean, round } from '../scores/numbers.ts'
import type { Store } from '../store.ts'
import { utcTimestamp } from '../time.ts'
import { maximumCount } from './biomarkers.ts'

export const widgets: Handlers['widgets'] = {
  biomarker({ service, user, body }) {
    const { face_scan_id, parameter } = body.data
    const name = oneOf(biomarkerNames, parameter)
    const scan = findScan(service.store, user.user_id, dashed(face_scan_id))
    if (!scan) throw new Refusal(404, 'face scan not found')
    const { label, unit, plausible } = biomarkerFacts[name]
    const value = scan[name]
    const data = {
      value,
      name,
      unit,
      range: [...plausible] as [number, number],
      percentage: percentageOf(value, plausible),
      zone: zoneOf(biomarkerFacts[name], value) ?? null,
      optimum: null,
      gradientstops: gradientStops(name),
      title: label,
    }
    return { status: 200, body: { data, config: { face_scan_id: scan.face_scan_id, parameter } } }
  },

  /** Locked, with every value null, until the user has enough scans for the metric. */
  metric({ service, user, body }) {
    const name = oneOf(metricNames, body.data.parameter)
    const score = readHealth(service.store, user.user_id).metrics[name]?.score ?? null
    const shown = score !== null
    const data = {
      title: metricLabels[name],
      name,
      value: score,
      value_str: shown ? String(score) : null,
      unit: shown ? '%' : null,
      range: shown ? ([0, 100] as [number, number]) : null,
      percentage: score,
      zone: null,
      optimum: shown ? 100 : null,
      locked: !shown,
    }
    return { status: 200, body: { data, config: { parameter: name } } }
  },

  graph({ service, user, body }) {
    const { title, start, stop } = body.data
    const name = oneOf([...biomarkerNames, ...metricNames], body.data.parameter)
    const days = daysBetween(start, stop, service.now())
    const series = isBiomarker(name)
      ? biomarkerSeries(service.store, user.user_id, name, days)
      : days.map((day) => readHealth(service.store, user.user_id, day + dayMs).metrics[name]?.score ?? null)
    const unit = isBiomarker(name) ? biomarkerFacts[name].unit : '%'
    const data = series.map((value, index) => {
      const day = days[index] ?? 0
      return {
        value,
        hint: value === null ? null : `${value} ${unit}`,
        label: new Date(day).toISOString().slice(5, 10),
        timestamp: utcTimestamp(day),
      }
    })
    return { status: 200, body: { data, config: { title: title ?? labelOf(name), y_range: yRange(name) } } }
  },
}

const dayMs = 24 * 60 * 60 * 1000
const maximumDays = 366

function oneOf<const Name extends string>(names: readonly Name[], parameter: string): Name {
  const name = names.find((candidate) => candidate === parameter)
  if (name) return name
  throw invalid('parameter', `must be one of ${names.join(', ')}`)
}

function invalid(field: string, message: string): Refusal {
  return new Refusal(422, [problem(['body', 'data', field], message)])
}

function isBiomarker(name: BiomarkerName | MetricName): name is BiomarkerName {
  return name in biomarkerFacts
}

function labelOf(name: BiomarkerName | MetricName): string {
  return isBiomarker(name) ? biomarkerFacts[name].label : metricLabels[name]
}

function yRange(name: BiomarkerName | MetricName): [number, number] {
  return isBiomarker(name) ? [...biomarkerFacts[name].plausible] : [0, 100]
}

/** Start of each day in UTC, both ends included; today minus eight days until today by default (specification, section 8). */
function daysBetween(start: string | undefined, stop: string | undefined, nowMs: number): number[] {
  const today = Math.floor(nowMs / dayMs) * dayMs
  const last = stop === undefined ? today : Date.parse(stop)
  const first = start === undefined ? today - 8 * dayMs : Date.parse(start)
  const count = (last - first) / dayMs + 1
  if (count < 1) throw invalid('start', 'must not be after stop')
  if (count > maximumDays) throw invalid('start', `must be at most ${maximumDays} days before stop`)
  return Array.from({ length: count }, (_, index) => first + index * dayMs)
}

/** The mean of each day's scans, null for a day without one. */
function biomarkerSeries(store: Store, userId: string, name: BiomarkerName, days: readonly number[]) {
  const first = days[0] ?? 0
  const filter = {
    startMs: first - 1,
    endMs: first + days.length * dayMs,
    order: 'desc',
    count: maximumCount,
  } as const
  const scans = listScans(store, userId, filter)
  return days.map((day) => {
    const ofDay = scans.filter(({ taken_at_ms }) => taken_at_ms >= day && taken_at_ms < day + dayMs)
    return ofDay.length > 0 ? round(mean(ofDay.map((scan) => scan[name]))) : null
  })
}

function percentageOf(value: number, [low, high]: readonly [number, number]): number {
  return round(Math.min(Math.max(((value - low) / (high - low)) * 100, 0), 100))
}

/** Where the known zones begin and end within the range, in percent. */
function gradientStops(name: BiomarkerName): [number, number] {
  const { zones, plausible } = biomarkerFacts[name]
  const bounds = zones
    .flatMap(({ from, to }) => [from, to])
    .filter((bound) => bound !== undefined && bound > 0)
  const stops = bounds.map((bound) => percentageOf(bound ?? 0, plausible))
  return stops.length === 0 ? [0, 100] : [Math.min(...stops), Math.max(...stops)]
}
