import { readPackageFile } from '../../base/process.ts'
import { readPage } from '../../output/read-page.ts'

/** A step of the tour, with the reason and the commands that a user would type. */
export interface TourStep {
  title: string
  why: string
  lines: readonly string[]
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
