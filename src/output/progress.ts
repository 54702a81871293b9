import type { Output } from '../base/io.ts'
import { escapeControls, truncate } from './text.ts'
import type { Pen } from './view.ts'

export interface Progress {
  /** Replaces the line. */
  show(text: string): void
  /** Takes the line away, so that something else can be said. */
  clear(): void
}

const clearLine = '\r\x1b[2K'

/** One line on stderr that is drawn again and again on a terminal, and nothing anywhere else. `pen` is that of stderr. */
export function createProgress(stderr: Output, pen: Pen, quiet = false): Progress {
  if (quiet || !pen.pictures) return { show: () => undefined, clear: () => undefined }
  let shown = ''
  return {
    show(text) {
      const line = truncate(escapeControls(text).replaceAll('\n', ' '), pen.width - 1)
      if (line === shown) return
      shown = line
      stderr.write(clearLine + pen.dim(line))
    },
    clear() {
      if (shown !== '') stderr.write(clearLine)
      shown = ''
    },
  }
}
