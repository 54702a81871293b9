import { dayMs } from '../../base/clock.ts'
import { rounded } from '../../base/functions.ts'
import {
  type BiomarkerName,
  biomarkerFacts,
  biomarkerNames,
  type MetricName,
  metricNames,
  zoneOf,
} from '../../contract/biomarkers.ts'
import { dashed, maximumScans } from '../../contract/values.ts'
import type { Handlers } from '../handler.ts'
import { problem, Refusal } from '../message.ts'
import { findScan, listScans } from '../records.ts'
import { readHealth } from '../scores/metrics.ts'
import { clamp, mean } from '../scores/numbers.ts'
import type { Store } from '../store.ts'
import { levelIn, textsIn, unitOf } from '../texts/index.ts'
import { utcTimestamp } from '../time.ts'

export const widgets: Handlers['widgets'] = {
  async biomarker({ service, user, body }) {
    const { face_scan_id, parameter } = body.data
    const name = oneOf(biomarkerNames, parameter)
    const scan = findScan(service.store, user.user_id, dashed(face_scan_id))
    if (!scan) throw new Refusal(404, 'face scan not found')
    const texts = await textsIn(user.language ?? 'en')
    const { plausible } = biomarkerFacts[name]
    const [low, high] = plausible
    const value = scan[name]
    const zone = zoneOf(biomarkerFacts[name], value)
    const data = {
      value,
      name,
      unit: unitOf(name, texts),
      range: [low, high] as [number, number],
      percentage: rounded(clamp(((value - low) / (high - low)) * 100)),
      zone: levelIn(texts, zone ?? 'unknown'),
      optimum: mean(plausible),
      gradientstops: [0, 100] as [number, number],
      title: texts[`biomarker.${name}`],
    }
    return { status: 200, body: { data, config: { face_scan_id: scan.face_scan_id, parameter } } }
  },

  /** A metric is locked until the user has enough scans. The nullable fields of a locked metric are null. */
  async metric({ service, user, body }) {
    const name = oneOf(metricNames, body.data.parameter)
    const score = readHealth(service.store, user.user_id).metrics[name]?.score ?? null
    const isKnown = score !== null
    const data = {
      title: (await textsIn(user.language ?? 'en'))[`metric.${name}`],
      name,
      value: score,
      value_str: isKnown ? String(score) : null,
      unit: isKnown ? '%' : null,
      range: isKnown ? ([0, 100] as [number, number]) : null,
      percentage: score,
      zone: null,
      optimum: isKnown ? 100 : null,
      locked: !isKnown,
    }
    return { status: 200, body: { data, config: { parameter: name } } }
  },

  async graph({ service, user, body }) {
    const { title, start, stop } = body.data
    const name = oneOf([...biomarkerNames, ...metricNames], body.data.parameter)
    const days = daysBetween(start, stop, service.now())
    const texts = await textsIn(user.language ?? 'en')
    const valueOn = (day: number) =>
      isBiomarker(name)
        ? dayMean(service.store, user.user_id, name, day)
        : (readHealth(service.store, user.user_id, day + dayMs).metrics[name]?.score ?? null)
    const unit = isBiomarker(name) ? unitOf(name, texts) : '%'
    const data = days.map((day) => {
      const value = valueOn(day)
      const hint = value === null ? texts['biomarker.noValue'] : `${value} ${unit}`
      return { value, hint, label: new Date(day).toISOString().slice(5, 10), timestamp: utcTimestamp(day) }
    })
    const label = isBiomarker(name) ? texts[`biomarker.${name}`] : texts[`metric.${name}`]
    const [low, high] = isBiomarker(name) ? biomarkerFacts[name].plausible : [0, 100]
    const y_range: [number, number] = [low, high]
    return { status: 200, body: { data, config: { title: title ?? label, y_range } } }
  },
}

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

/** The start of each UTC day from `start` to `stop` (default: the last nine days, spec 8). */
function daysBetween(start: string | undefined, stop: string | undefined, nowMs: number): number[] {
  const today = Math.floor(nowMs / dayMs) * dayMs
  const last = stop === undefined ? today : Date.parse(stop)
  const first = start === undefined ? last - 8 * dayMs : Date.parse(start)
  const count = (last - first) / dayMs + 1
  if (count < 1) throw invalid('start', 'must not be after stop')
  if (count > maximumDays) throw invalid('start', `must be at most ${maximumDays} days before stop`)
  return Array.from({ length: count }, (_, index) => first + index * dayMs)
}

/** The mean of the scans on one day. Null if there is no scan on this day. */
function dayMean(store: Store, userId: string, name: BiomarkerName, day: number): number | null {
  const filter = { startMs: day - 1, endMs: day + dayMs, order: 'asc', count: maximumScans } as const
  const scans = listScans(store, userId, filter)
  return scans.length > 0 ? rounded(mean(scans.map((scan) => scan[name]))) : null
}
