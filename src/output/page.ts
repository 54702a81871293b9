/** A page of help for a terminal, a man page, or a program. Words in backquotes are typed literally. */
export interface HelpPage {
  /** `facescan users create` */
  name: string
  summary: string
  sections: readonly HelpSection[]
}

/** The parts are shown in this order. Each part is optional. */
export interface HelpSection {
  heading?: string
  text?: string
  examples?: readonly string[]
  rows?: readonly HelpRow[]
  /** Whether the terms of the rows are titles instead of words to type. */
  titled?: boolean
}

export type HelpRow = readonly [term: string, text: string]
