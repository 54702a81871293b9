import type { IAsyncProperty, IProperty } from 'fast-check'
import { test } from 'vitest'
import { fuzzRuns, fuzzTimeoutMs } from '../output/fuzz-runs.ts'
import fc from './fast-check.ts'

type Property<Inputs> = IProperty<Inputs> | IAsyncProperty<Inputs>

/** Defines a test that checks a property with generated inputs. */
export function holds<Inputs>(title: string, property: Property<Inputs> | (() => Property<Inputs>)): void {
  const check = async () =>
    fc.assert(typeof property === 'function' ? property() : property, { numRuns: fuzzRuns })
  test(title, check, fuzzTimeoutMs)
}
