import type { HeaderRecord } from '../../bulk/journal/record.ts'
import type { ImportSettings } from '../../bulk/types.ts'
import type { SendingOptions } from './options.ts'

export interface ImportRequest {
  /** A path, or `-` for standard input. */
  file: string
  settings: ImportSettings
  skipInvalid: boolean
  /** Imports content that was already imported. */
  again: boolean
  resumed?: HeaderRecord | undefined
  keyReplaced?: boolean
  sending: SendingOptions
}
