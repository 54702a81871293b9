import { toJson } from './json.ts'
import type { OutputFormat } from './settings.ts'
import type { Pen } from './view.ts'

/** Joins values that arrive one after the other into one document. */
export interface Frame {
  start: string
  separator: string
  item(value: unknown, pen: Pen): string
  end(items: number): string
}

const json: Frame = {
  start: '[',
  separator: ',',
  item: (value, pen) => `\n${toJson(value, pen, 0).trimEnd()}`,
  end: (items) => (items === 0 ? ']\n' : '\n]\n'),
}

const ndjson: Frame = {
  start: '',
  separator: '',
  item: (value, pen) => toJson(value, pen, 0),
  end: () => '',
}

async function loadYaml(): Promise<Frame> {
  const { toYaml } = await import('./yaml.ts')
  return {
    start: '',
    separator: '',
    item: (value, pen) => toYaml([value], pen),
    end: (items) => (items === 0 ? '[]\n' : ''),
  }
}

/** Frames by format. Formats with rows need no frame, because their rows are independent. */
const frames: Record<OutputFormat, () => Frame | undefined | Promise<Frame>> = {
  table: () => undefined,
  json: () => json,
  ndjson: () => ndjson,
  yaml: loadYaml,
  csv: () => undefined,
  tsv: () => undefined,
}

export async function loadFrame(format: OutputFormat): Promise<Frame | undefined> {
  return frames[format]()
}
