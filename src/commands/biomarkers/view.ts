import { biomarkerFacts, biomarkerNames, zoneOf } from '../../contract/values.ts'
import type { Scan } from '../../output/health/biomarkers.ts'
import { formatNumber, numberOrUndefined } from '../../output/health/number.ts'
import type { RecordView } from '../../output/view.ts'

/** One scan: each biomarker with its unit, and its zone where one is known. */
export const scanView: RecordView<Scan> = {
  kind: 'record',
  columns: [
    { key: 'face_scan_id', title: 'Face scan id', whole: true },
    { key: 'timestamp', title: 'Scanned', time: true },
    ...biomarkerNames.map((name) => ({
      key: name,
      title: biomarkerFacts[name].label,
      cell: (scan: Scan) => describe(name, numberOrUndefined(scan[name])),
    })),
    { key: 'timestamp_epoch', title: 'Epoch', only: 'machines' as const },
  ],
}

function describe(name: (typeof biomarkerNames)[number], value: number | undefined): string {
  if (value === undefined) return ''
  const zone = zoneOf(biomarkerFacts[name], value)
  return `${formatNumber(value)} ${biomarkerFacts[name].unit}${zone ? `, ${zone}` : ''}`
}
