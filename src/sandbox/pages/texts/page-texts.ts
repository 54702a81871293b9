import type { BiomarkerName, LookupKey, MetricName, SummaryProfile } from '../../../contract/values.ts'
import type { Level } from '../../scores/wellbeing.ts'

/** Names of the zones in `biomarkerFacts`. */
export type ZoneName =
  | 'at rest'
  | 'below average'
  | 'average'
  | 'above average'
  | 'none'
  | 'partial'
  | 'resonant'
  | 'elevated'
  | 'high'

export type TodoName = 'sleep' | 'movement' | 'stress' | 'body' | 'background'

/** All texts of the pages in one language. Words in braces are placeholders. */
export interface PageTexts {
  note: string
  label: string
  scan: {
    title: string
    intro: string
    tips: readonly [string, string, string]
    start: string
    /** Shown one after another during the scan. */
    phases: readonly [string, string, string]
    done: string
    /** {time} */
    doneAt: string
    again: string
    close: string
  }
  questions: {
    heading: string
    /** Meaning of the values 1 to 5. */
    scale: string
    yes: string
    no: string
    of: Record<LookupKey, string>
  }
  dashboard: {
    title: string
    /** {date} */
    lastScan: string
    noScans: string
    metrics: string
    /** {percent} */
    confidence: string
    locked: string
    biomarkers: string
    recommendations: string
    todos: string
    nothingToDo: string
    values: string
    time: string
    /** {count}, {low}, {high}, {latest} with units */
    chart: string
  }
  todos: Record<TodoName, string> & {
    /** {count} */
    scans: string
  }
  links: { invalid: string; invalidText: string; used: string; usedText: string }
  dimensions: Record<SummaryProfile, string>
  levels: Record<Level, string>
  metrics: Record<MetricName, string>
  biomarkers: Record<BiomarkerName, string>
  /** Hint of a graph for a day without a value. */
  noValue: string
  breathsPerMinute: string
  zones: Record<ZoneName, string>
}
