import { type BiomarkerName, biomarkerFacts, biomarkerNames } from '../../contract/values.ts'
import { epochMsOf, formatClock } from '../time.ts'
import type { DrawnView } from '../view.ts'
import { type Scan, scansView } from './biomarkers.ts'
import { formatNumber, numberOrUndefined } from './number.ts'

/** Words for the units, because abbreviations are hard to understand on the phone. */
const spokenUnits: Readonly<Record<string, string>> = {
  bpm: 'beats per minute',
  'breaths/min': 'breaths per minute',
  ms: 'milliseconds',
  '%': 'percent',
  mmHg: 'millimeters of mercury',
}

function describe(scan: Scan, name: BiomarkerName): string {
  const { label, unit } = biomarkerFacts[name]
  const value = numberOrUndefined(scan[name])
  return `${label}: ${value === undefined ? 'no value' : `${formatNumber(value)} ${spokenUnits[unit] ?? unit}`}.`
}

/** A scan in sentences that support staff can read out. */
function spokenScan(scan: Scan): string {
  const at = epochMsOf(scan.timestamp)
  const finished = at === undefined ? 'Scan finished.' : `Scan finished at ${formatClock(at)}.`
  return [finished, ...biomarkerNames.map((name) => describe(scan, name))].join('\n')
}

/** Sentences on a terminal, and one row per scan in all other formats. */
export const spokenScanView: DrawnView<readonly Scan[]> = {
  kind: 'drawn',
  draw: (scans, pen) => (pen.terminal ? scans.map(spokenScan).join('\n\n') : undefined),
  data: scansView,
}
