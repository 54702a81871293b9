import type { HeaderRecord } from '../../bulk/journal/record.ts'
import type { ImportSettings } from '../../bulk/types.ts'
import type { SendingOptions } from './options.ts'

export interface ImportRequest {
  /** A path, or `-` for standard input. */
  file: string
  settings: ImportSettings
  skipInvalid: boolean
  /** Whether to import content that was imported before. */
  again: boolean
  resumed?: HeaderRecord | undefined
  /** Whether another key for the same users may be used to resume. */
  keyReplaced?: boolean
  sending: SendingOptions
}
