import { html } from 'hono/html'
import { type LookupKey, lookupKeys } from '../../contract/values.ts'
import type { AnswerFields, Answers, ScanRecord } from '../records.ts'
import { fill, type Texts } from '../texts/index.ts'
import { biomarkerItems, formatTime, type Markup, type PageContext, section } from './layout.ts'

/** The page for a scan. Its button records a plausible scan, because the sandbox has no camera. */
export function scanPage({ texts }: PageContext, unanswered: readonly LookupKey[]): Markup {
  return html`<p>${texts['scan.intro']}</p>
<p>${texts['scan.tips']}</p>
<form method="post">${questionFields(texts, unanswered)}<p><button>${texts['scan.start']}</button></p></form>`
}

/** The page with the result of a scan. `again` is the URL for another scan. */
export function scanResultPage(context: PageContext, scan: ScanRecord, again: string): Markup {
  const { language, texts } = context
  return html`<p>${fill(texts['scan.doneAt'], { time: formatTime(scan.taken_at_ms, language) })}</p>
${section('biomarkers', texts['dashboard.biomarkers'], biomarkerItems(context, scan))}
<p><a href="${again}">${texts['scan.again']}</a></p>`
}

type Limits = readonly [minimum: number, maximum: number]

const scale: Limits = [1, 5]
const yesOrNo: Limits = [0, 1]

const limits: Partial<Record<LookupKey, Limits>> = {
  height: [50, 250],
  weight: [20, 300],
  age: [0, 120],
  parental_hypertension: yesOrNo,
  smoking: yesOrNo,
}

/** The questions that the user has not answered. The scan page asks them, and the dashboard lists them (spec 2.6). */
export function unansweredKeys(answers: Answers): LookupKey[] {
  return lookupKeys.filter((key) => answers[key] === undefined)
}

function questionFields(texts: Texts, keys: readonly LookupKey[]): Markup | '' {
  if (keys.length === 0) return ''
  return html`<fieldset><legend>${texts['questions.heading']}</legend>
<p>${texts['questions.scale']}; 0 = ${texts['questions.no']}, 1 = ${texts['questions.yes']}</p>
${keys.map((key) => {
  const [minimum, maximum] = limits[key] ?? scale
  return html`<label>${texts[`question.${key}`]} <input type="number" name="${key}" min="${minimum}" max="${maximum}"></label>`
})}</fieldset>`
}

/** The answers in a submitted form. Empty and invalid fields are ignored, because the browser already checks the limits. */
export function readAnswers(form: URLSearchParams): AnswerFields[] {
  return lookupKeys.flatMap((lookup_key) => {
    const text = form.get(lookup_key) ?? ''
    const [minimum, maximum] = limits[lookup_key] ?? scale
    const value = Number(text)
    const isValid = /^\d+$/.test(text) && value >= minimum && value <= maximum
    return isValid ? [{ lookup_key, value, timezone: 'UTC' }] : []
  })
}
