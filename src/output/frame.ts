import { toJson } from './json.ts'
import { isValue, type OutputFormat, type ValueFormat } from './settings.ts'
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

const frames: Record<ValueFormat, () => Frame | Promise<Frame>> = {
  json: () => json,
  ndjson: () => ndjson,
  yaml: loadYaml,
}

/** The frame of a format. Formats with rows need no frame, because their rows are independent. */
export async function loadFrame(format: OutputFormat): Promise<Frame | undefined> {
  return isValue(format) ? frames[format]() : undefined
}
