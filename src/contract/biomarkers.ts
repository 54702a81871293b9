/** A named range of values. `from` is included, and `to` is excluded. If a limit is undefined, the zone has no end in this direction. */
export interface Zone {
  name: string
  from?: number | undefined
  to?: number | undefined
}

export interface BiomarkerFact {
  label: string
  /** The heading, including the unit. Used if the column is narrow. */
  heading: string
  unit: string
  /** Plausible values for the axes of charts and for synthetic data. The service defines no limits. */
  plausible: readonly [low: number, high: number]
  /** Reference zones of facescan. The service defines no zones. */
  zones: readonly Zone[]
}

export const biomarkerFacts = {
  heart_rate: {
    label: 'Heart rate',
    heading: 'Heart bpm',
    unit: 'bpm',
    plausible: [40, 180],
    zones: [],
  },
  respiratory_rate: {
    label: 'Respiratory rate',
    heading: 'Breaths/min',
    unit: 'breaths/min',
    plausible: [6, 30],
    zones: [{ name: 'at rest', from: 12, to: 20 }],
  },
  heart_rate_variability: {
    label: 'Heart rate variability',
    heading: 'HRV ms',
    unit: 'ms',
    plausible: [5, 200],
    zones: [
      { name: 'below average', from: 0, to: 35 },
      { name: 'average', from: 35, to: 100 },
      { name: 'above average', from: 100 },
    ],
  },
  resonant_breathing_score: {
    label: 'Resonant breathing',
    heading: 'Resonance %',
    unit: '%',
    plausible: [0, 100],
    zones: [
      { name: 'not resonant', from: 0, to: 40 },
      { name: 'partial', from: 40, to: 70 },
      { name: 'resonant', from: 70 },
    ],
  },
  systolic_blood_pressure: {
    label: 'Systolic pressure',
    heading: 'Sys mmHg',
    unit: 'mmHg',
    plausible: [80, 200],
    zones: [
      { name: 'elevated', from: 130, to: 140 },
      { name: 'high', from: 140 },
    ],
  },
  diastolic_blood_pressure: {
    label: 'Diastolic pressure',
    heading: 'Dia mmHg',
    unit: 'mmHg',
    plausible: [50, 130],
    zones: [
      { name: 'elevated', from: 85, to: 90 },
      { name: 'high', from: 90 },
    ],
  },
} satisfies Readonly<Record<string, BiomarkerFact>>

export type BiomarkerName = keyof typeof biomarkerFacts
export const biomarkerNames = Object.keys(biomarkerFacts) as readonly BiomarkerName[]

/** The name of the zone that contains a value. Undefined if no zone matches. */
export function zoneOf({ zones }: BiomarkerFact, value: number): string | undefined {
  return zones.find(
    ({ from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }) => value >= from && value < to,
  )?.name
}

export const metricLabels = {
  energy_balance: 'Energy balance',
  general_fitness: 'General fitness',
  hypertension: 'Hypertension',
  mental_health_risk: 'Mental health risk',
  mental_stress: 'Mental stress',
  sleep_quality: 'Sleep quality',
} as const

export type MetricName = keyof typeof metricLabels
export const metricNames = Object.keys(metricLabels) as readonly MetricName[]
