import type { Plan } from '../schemas.ts'
import type { LookupKeys } from './lookup-keys.ts'
import type { RowReader } from './row-reader.ts'

/** Usual values of adults, in the units of the service. Limits of this tool: the service decides what is valid. */
const usual: Readonly<Record<string, readonly [lowest: number, highest: number, unit: string]>> = {
  height: [100, 250, 'cm'],
  weight: [25, 350, 'kg'],
}

/** Counts answers that are probably in another unit or in the wrong column. */
export class UnusualAnswers {
  private readonly keys: LookupKeys
  /** By number of the lookup key. */
  private readonly found: number[] = []

  constructor(keys: LookupKeys) {
    this.keys = keys
  }

  note({ key, value }: RowReader): void {
    const limits = usual[this.keys.names[key] ?? '']
    if (limits && (value < limits[0] || value > limits[1])) this.found[key] = (this.found[key] ?? 0) + 1
  }

  counts(): Plan['unusual'] {
    return this.found.flatMap((answers, key) => {
      const lookup_key = this.keys.names[key] ?? ''
      const [lowest, highest, unit] = usual[lookup_key] ?? []
      return [{ lookup_key, answers, usual: `${lowest} to ${highest} ${unit}` }]
    })
  }
}
