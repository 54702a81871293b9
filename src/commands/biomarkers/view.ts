import { type BiomarkerName, biomarkerFacts, biomarkerNames, zoneOf } from '../../contract/values.ts'
import type { Scan } from '../../output/health/biomarkers.ts'
import { formatNumber, numberOrUndefined } from '../../output/health/number.ts'
import { zonesLine } from '../../output/health/reference.ts'
import type { Pen, RecordView } from '../../output/view.ts'

/** Description of the source of units, for the help. */
export const unitsSource =
  'The specification does not define units. The units come from public descriptions of similar services.'

/** One scan: each biomarker with its unit, and with its zone if reference values are shown. */
export const scanView: RecordView<Scan> = {
  kind: 'record',
  reference: true,
  columns: [
    { key: 'face_scan_id', title: 'Face scan ID', whole: true },
    { key: 'timestamp', title: 'Scanned', time: true },
    ...biomarkerNames.map((name) => ({
      key: name,
      title: biomarkerFacts[name].label,
      cell: (scan: Scan, pen: Pen) => describe(name, numberOrUndefined(scan[name]), pen),
    })),
    { key: 'timestamp_epoch', title: 'Epoch', only: 'machines' as const },
  ],
  after: (_, pen) => (pen.reference ? zonesLine(pen) : undefined),
}

function describe(name: BiomarkerName, value: number | undefined, pen: Pen): string {
  if (value === undefined) return ''
  const zone = pen.reference ? zoneOf(biomarkerFacts[name], value) : undefined
  return `${formatNumber(value)} ${biomarkerFacts[name].unit}${zone ? `, ${zone}` : ''}`
}
