import { biomarkerFacts, biomarkerNames } from '../../contract/values.ts'
import type { Column, ListView, RecordView } from '../../output/view.ts'

export type BiomarkerRow = Record<string, unknown> & { face_scan_id: string; timestamp: string }

function trimmed(value: unknown): string {
  return typeof value === 'number' ? String(Number(value.toFixed(2))) : '–'
}

const columns: readonly Column<BiomarkerRow>[] = [
  { key: 'timestamp', title: 'Scanned', time: true },
  ...biomarkerNames.map(
    (name): Column<BiomarkerRow> => ({
      key: name,
      title: `${biomarkerFacts[name].label} (${biomarkerFacts[name].unit})`,
      align: 'right',
      cell: (row) => trimmed(row[name]),
    }),
  ),
  { key: 'timestamp_epoch', title: 'Epoch', only: 'machines' },
  { key: 'face_scan_id', title: 'Face scan id', whole: true },
]

export const biomarkerList: ListView<readonly BiomarkerRow[], BiomarkerRow> = {
  kind: 'list',
  rows: (records) => records,
  columns,
  empty: 'No face scans in this span. Hand out a link with: facescan scan-url',
}

export const biomarkerRecord: RecordView<BiomarkerRow> = { kind: 'record', columns }
