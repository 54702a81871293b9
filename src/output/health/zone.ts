import type { BiomarkerFact, Zone } from '../../contract/values.ts'

function holds(zone: Zone, value: number): boolean {
  return value >= (zone.from ?? Number.NEGATIVE_INFINITY) && value < (zone.to ?? Number.POSITIVE_INFINITY)
}

/** The public name of the zone a value is in; undefined where no description names one. */
export function zoneOf(fact: BiomarkerFact, value: number): string | undefined {
  return fact.zones.find((zone) => holds(zone, value))?.name
}
