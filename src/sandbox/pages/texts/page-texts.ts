import type { BiomarkerName, MetricName, SummaryProfile } from '../../../contract/values.ts'
import type { Level } from '../../scores/wellbeing.ts'

/** Zones that are known, by the names that `biomarkerFacts` gives them. */
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

/** Everything that the pages say, in one language. Words in braces are filled in. */
export interface PageTexts {
  note: string
  label: string
  scan: {
    title: string
    intro: string
    tips: readonly [string, string, string]
    start: string
    /** Shown one after the other while the scan runs. */
    phases: readonly [string, string, string]
    done: string
    /** {time} */
    doneAt: string
    again: string
    close: string
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
