import type { Question } from '../questions.ts'
import type { Reason } from '../types.ts'
import { noValue } from './flag-values.ts'

/** How the IDs of a file are read. */
export interface IdRules {
  /** Whether IDs are neither trimmed nor checked for damage (`--ids exact`). */
  isExact: boolean
  /** Whether damaged IDs are refused, because the rows create or change users or answers. */
  isChecked: boolean
  /** Length up to which IDs of digits get leading zeros. 0 for none. */
  padTo: number
}

type Cause = Pick<Reason, 'code' | 'message'>

/** TRUE and FALSE in lower case, as spreadsheets write them in several languages. */
const booleans = new Set(
  // The Turkish word is YANLIŞ, whose capital I becomes an i with a dot.
  `true false waar onwaar wahr falsch vrai faux verdadero falso sand falsk sant falskt verdadeiro doğru yanliş prawda fałsz pravda nepravda igaz hamis истина ложь`.split(
    ' ',
  ),
)

/** Numbers such as 5.002E+03, 5E+15, and 1.02E2. */
const exponent = /^[+-]?\d+(?:[.,]\d*e\+?|e\+)\d+$/i
/** IDs such as 102.0 and 102,00, from programs that store numbers with decimals. */
const decimal = /^\d+[.,]00?$/

/** IDs such as `1 001`, `1,001`, and `1'001`, as some spreadsheets show 1001. */
const grouped = /^\d{1,3}(?:[\s,'’]\d{3})+$/
/** First words of a row of totals at the end of a table, or of a line with the number of rows. */
const total =
  /^(?:sub|grand |eind|genel )?(?:total(?:s|es?)?|totaal|totalt|gesamt(?:summe|ergebnis)?|summe|somme|summa|suma|sum|i alt|razem|toplam|合計|合计|总计|합계|итого|общий итог|المجموع|average|mean|mittelwert|durchschnitt|gemiddelde|moyenne|gennemsnit|count|anzahl|aantal)(?: g[eé]n[eé]ral| geral| generale)?[\s:]*\d*$|^\(?\d+ (?:rows?|records?)(?: affected)?\)?$/i

/**
 * The reason why a text is probably not the intended ID. The service stores only a hash, so a user with a wrong ID could not be found
 * again.
 */
export function describeDamage(id: string): string | undefined {
  const shown = id.length > 40 ? `${id.slice(0, 40)}…` : id
  if (id.startsWith('#')) return `the user ID is a spreadsheet error, "${shown}"`
  if (id.startsWith('="')) return `the user ID is a spreadsheet formula, ${shown}`
  if (exponent.test(id) || decimal.test(id)) return `a spreadsheet shows the user ID as ${shown}`
  if (grouped.test(id)) return `the user ID ${shown} contains thousands separators`
  if (isTotal(id))
    return `"${shown}" is probably not a user ID, but part of a row of totals or a separator line`
  if (noValue.test(id)) return `"${shown}" is probably not a user ID, but a missing value`
  if (/^'(?:\d+|.*')$/.test(id)) return `the user ID ${shown} starts with an apostrophe`
  if (/^[“”„«»].*[“”«»]$/.test(id)) return `the user ID ${shown} is enclosed in quotation marks`
  if (/^[-*•]\s/.test(id)) return `the user ID ${shown} starts with a list bullet`
  if (booleans.has(id.toLowerCase())) return `the user ID is the boolean ${shown}`
  return undefined
}

function isTotal(id: string): boolean {
  return total.test(id) || /^[-=_*+|.:\\]+$/.test(id)
}

/** The reason why the ID of a row is refused. */
export function whyDamaged(id: string): Cause | undefined {
  const message = describeDamage(id)
  if (message === undefined) return undefined
  return isTotal(id) || noValue.test(id) ? { code: 'user_damaged', message } : damaged(message)
}

/** The reason why a cell of a workbook is not used as an ID: a date, or a number that is displayed with zeros. */
export function shownId(shown: string): Cause {
  if (shown.startsWith('\x01'))
    return damaged(
      `the spreadsheet stores the user ID as the number ${shown.slice(1)}, but may display it differently`,
    )
  return damaged(`the spreadsheet shows the user ID as ${shown}, but stores another value`)
}

function damaged(what: string): Cause {
  return {
    code: 'user_damaged',
    message: `${what}; format the column as text and export the file again, or keep such IDs with --ids exact`,
  }
}

const isPlain = new Uint8Array(256)
for (let byte = 0x21; byte < 0x7f; byte++) isPlain[byte] = 1
for (const sign of `#=+.,:'`) isPlain[sign.charCodeAt(0)] = 0

/** Whether an ID needs no further check, because it has no spaces, no signs of damage, and a digit at the end. */
export function isUsualId(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (isPlain[bytes[at] as number] === 0) return false
  const last = bytes[to - 1] as number
  // Booleans, words for totals, and usual names of columns have at most 24 letters.
  return (last >= 0x30 && last <= 0x39) || (last >= 0x41 && to - from > 24)
}

const shownIds = 3

/** Finds IDs that have probably lost their leading zeros: most IDs are like `000101`, and others are like `102`. */
export class IdSurvey {
  private total = 0
  /** Number of IDs, number of IDs with a leading zero, and first IDs, by length. */
  private readonly lengths = new Map<number, { ids: number; padded: number; first: string[] }>()

  note(bytes: Buffer, from: number, to: number): void {
    if (from === to) return
    this.total++
    for (let at = from; at < to; at++) {
      const byte = bytes[at] as number
      if (byte < 0x30 || byte > 0x39) return
    }
    const length = to - from
    const found = this.lengths.get(length) ?? { ids: 0, padded: 0, first: [] }
    if (found.ids === 0) this.lengths.set(length, found)
    found.ids++
    if (bytes[from] === 0x30) found.padded++
    if (found.first.length === shownIds) return
    const id = bytes.toString('latin1', from, to)
    if (!found.first.includes(id)) found.first.push(id)
  }

  question(): Question[] {
    const usual = [...this.lengths].find(([, { ids, padded }]) => padded > 0 && ids * 2 > this.total)
    if (!usual) return []
    const [length, { first }] = usual
    const shorter = [...this.lengths].filter(([other, { ids, padded }]) => other < length && padded < ids)
    if (shorter.length === 0) return []
    const lost = shorter.flatMap((entry) => entry[1].first).filter((id) => !id.startsWith('0'))
    const count = shorter.reduce((sum, [, { ids, padded }]) => sum + ids - padded, 0)
    const [example = ''] = lost
    return [
      {
        problem: `most user IDs have ${length} digits, such as ${first.join(', ')}, but ${count} ${count === 1 ? 'is' : 'are'} shorter, such as ${lost.slice(0, shownIds).join(', ')}. Leading zeros are probably lost: --ids pad:${length} restores the zeros, --ids keep uses the IDs as they are`,
        suggested: { ids: 'keep' },
        prompts: [
          {
            label: `The user ID ${example} is`,
            choices: [
              { name: `${example.padStart(length, '0')} without its leading zeros`, set: { ids: length } },
              { name: `${example}, as it is written`, set: { ids: 'keep' } },
            ],
          },
        ],
      },
    ]
  }
}
