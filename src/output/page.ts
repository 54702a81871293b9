/**
 * A page of help, before it is known whether a terminal, a manual or a program reads it. Words between backquotes are
 * typed as they stand.
 */
export interface HelpPage {
  /** `facescan users create` */
  name: string
  summary: string
  sections: readonly HelpSection[]
}

/** Its parts come in this order; each may be absent. */
export interface HelpSection {
  heading?: string
  text?: string
  examples?: readonly string[]
  rows?: readonly HelpRow[]
  /** The terms of the rows are titles, not something to type. */
  titled?: boolean
}

export type HelpRow = readonly [term: string, text: string]
