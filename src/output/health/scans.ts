import { rounded } from '../../base/functions.ts'
import { type BiomarkerName, biomarkerFacts, biomarkerNames, zoneOf } from '../../contract/biomarkers.ts'
import { renderRecord } from '../table.ts'
import { paragraph } from '../text.ts'
import { epochMsOf } from '../time.ts'
import type { ListView, RecordView, Terminal } from '../view.ts'

/** A number from a response. Some services return numbers as text. Any other value counts as missing. */
export function numberOrUndefined(value: unknown): number | undefined {
  if (typeof value === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(value)) return Number(value)
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** The difference between two values, as an arrow and a number, or in words. Empty if a value is missing. */
export function formatChange(
  current: number | undefined,
  previous: number | undefined,
  terminal: Terminal,
): string {
  if (current === undefined || previous === undefined) return ''
  const difference = rounded(current - previous)
  if (difference === 0) return terminal.pictures ? '=' : 'unchanged'
  const [rise, fall] = terminal.pictures ? ['▲', '▼'] : ['up', 'down']
  return `${difference > 0 ? rise : fall} ${Math.abs(difference)}`
}

/** States that the zones or directions are reference values of facescan, not of the service. */
export function referenceLine(source: string, terminal: Terminal): string {
  return terminal.dim(paragraph(`${source} Not medical advice.`, terminal))
}

export function zonesLine(terminal: Terminal): string {
  return referenceLine('Zones are defined by this tool, not by the service.', terminal)
}

export const unitsSource =
  'The service does not define units. The units come from descriptions of similar services.'

/** A biomarker record (spec 2.3). Its values are checked when they are used. */
export type Scan = Readonly<
  Partial<Record<BiomarkerName | 'face_scan_id' | 'timestamp' | 'timestamp_epoch', unknown>>
>

export const scansView: ListView<readonly Scan[], Scan> = {
  subject: 'Face scans',
  rows: (scans) => scans,
  columns: [
    { key: 'timestamp', title: 'When', time: true, priority: 2 },
    ...biomarkerNames.map((name) => ({
      key: name,
      title: biomarkerFacts[name].heading,
      align: 'right' as const,
      priority: 1,
    })),
    { key: 'face_scan_id', title: 'Face scan', whole: true },
    { key: 'timestamp_epoch', title: 'Epoch', only: 'machines' },
  ],
  empty({ command, isSandbox }) {
    const link = `no face scans; create a scan link: ${command('scan-url')}`
    return isSandbox ? `${link}\nor record scans in the sandbox: ${command('sandbox scan')}` : link
  },
}

export const scanView: RecordView<Scan> = {
  subject: 'Face scan',
  reference: true,
  columns: [
    { key: 'face_scan_id', title: 'Face scan ID', whole: true },
    { key: 'timestamp', title: 'Scanned', time: true },
    ...biomarkerNames.map((name) => ({
      key: name,
      title: biomarkerFacts[name].label,
      cell: (scan: Scan, terminal: Terminal) => describe(name, numberOrUndefined(scan[name]), terminal),
    })),
    { key: 'timestamp_epoch', title: 'Epoch', only: 'machines' as const },
  ],
  after: (_, terminal) => (terminal.reference ? zonesLine(terminal) : undefined),
}

/** The view of the latest scans. A terminal shows a single scan as a record. */
export const latestView: typeof scansView = {
  ...scansView,
  reference: true,
  async draw([scan, ...others], terminal) {
    if (!terminal.isTTY || scan === undefined || others.length > 0) return undefined
    const record = await renderRecord(scan, scanView.columns, terminal)
    return terminal.reference ? `${record}\n${zonesLine(terminal)}` : record
  },
}

function describe(name: BiomarkerName, value: number | undefined, terminal: Terminal): string {
  if (value === undefined) return ''
  const zone = terminal.reference ? zoneOf(biomarkerFacts[name], value) : undefined
  return `${rounded(value)} ${biomarkerFacts[name].unit}${zone ? `, ${zone}` : ''}`
}

/** The scans from the oldest to the newest. A response can have any order. */
export function sortScans<S extends Scan>(scans: readonly S[]): S[] {
  return scans.toSorted((a, b) => (epochMsOf(a.timestamp) ?? 0) - (epochMsOf(b.timestamp) ?? 0))
}

export function averageOf(scans: readonly Scan[], name: BiomarkerName): number | null {
  const values = scans.map((scan) => numberOrUndefined(scan[name])).filter((value) => value !== undefined)
  return values.length === 0 ? null : rounded(values.reduce((sum, value) => sum + value, 0) / values.length)
}
