import type { Scan } from '../../../src/output/health/scans.ts'
import { now } from '../screen.ts'

const threeDaysMs = 3 * 86_400_000
const heartRates = [62, 64, 61, 70, 75, 71, 66, 68, 63, 59]
const variabilities = [32, 38, 41, 55, 90, 102, 88, 70, 61, 48]

/** Ten scans, three days apart. The last scan is two hours before the current time. The fifth scan has no breathing score. */
export const scans: readonly Scan[] = heartRates.map((heart_rate, index) => {
  const at = now - 7_200_000 - (9 - index) * threeDaysMs
  return {
    face_scan_id: `5151d12e-2f9a-4d7a-962f-fd85d23bd6${10 + index}`,
    heart_rate,
    respiratory_rate: 12 + index / 4,
    heart_rate_variability: variabilities[index],
    resonant_breathing_score: index === 4 ? null : 50 + index * 3.37,
    systolic_blood_pressure: 125 + ((index * 7) % 11) * 2,
    diastolic_blood_pressure: 80,
    timestamp: new Date(at).toISOString(),
    timestamp_epoch: at / 1000,
  }
})

export const metrics = {
  metrics: {
    energy_balance: { score: 82, confidence: 91 },
    general_fitness: null,
    hypertension: { score: 87.5, confidence: 67.37 },
    mental_health_risk: { score: 12, confidence: 40 },
    mental_stress: { score: 0, confidence: 0 },
    sleep_quality: { score: 100, confidence: 100 },
  },
  last_update: new Date(now - 7_200_000).toISOString(),
}

export const wellbeing = { physical: 61, mental: 38.25, energy_sleep: 50, status_label: 'GLN' }
