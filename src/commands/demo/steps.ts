import { readPackageFile } from '../../base/process.ts'
import { readPage } from '../../output/read-page.ts'

/** A part of the tour: the reason, and the commands that a person would type. */
export interface TourStep {
  title: string
  why: string
  lines: readonly string[]
  /** Expected exit code of the commands. */
  exitCode: number
}

export function readSteps(): TourStep[] {
  const { sections } = readPage(readPackageFile('examples/tour.md'))
  return sections.map(({ heading: title = '', text: why = '', examples: lines = [], rows = [] }) => ({
    title,
    why,
    lines,
    exitCode: Number(Object.fromEntries(rows)['exit code'] ?? 0),
  }))
}
