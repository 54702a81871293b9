import { html } from 'hono/html'
import { isTimeZone, type LookupKey, lookupKeys } from '../../contract/values.ts'
import type { AnswerFields, Answers } from '../records/answers.ts'
import type { ScanRecord } from '../records/scans.ts'
import { fill, type Texts } from '../texts/index.ts'
import { biomarkerCards, type Context, formatTime, type Markup, type Page, section } from './layout.ts'

/** The page for a scan. It replaces the face-scan plug-in: there is no camera, and a button records a plausible scan. */
export function scanPage({ texts }: Context, unanswered: readonly LookupKey[]): Page {
  const content = html`<p>${texts['scan.intro']}</p>
<p>${texts['scan.tips']}</p>
<form method="post">${questionFields(texts, unanswered)}<button>${texts['scan.start']}</button></form>
<progress hidden aria-label="${texts['scan.phase']}"></progress>`
  return { title: texts['scan.title'], content, script }
}

/** Shows the progress of a scan before the form is sent. Without the script, the button sends the form immediately. */
const script = `
const form = document.querySelector('form')
if (form.timezone) form.timezone.value = Intl.DateTimeFormat().resolvedOptions().timeZone
form.addEventListener('submit', (event) => {
  event.preventDefault()
  form.hidden = true
  document.querySelector('progress').hidden = false
  setTimeout(() => form.submit(), 3000)
})
`

/** The page with the result of a scan. `again` is the address for another scan. */
export function scanResultPage(context: Context, scan: ScanRecord, again: string): Page {
  const { language, texts } = context
  const values = { heading: texts['dashboard.biomarkers'], items: biomarkerCards(context, [scan]) }
  const time = formatTime(scan.taken_at_ms, language)
  const content = html`<p>${fill(texts['scan.doneAt'], { time })}</p>
${section('biomarkers', values)}
<p><a href="${again}">${texts['scan.again']}</a></p>`
  return { title: texts['scan.done'], content }
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

const limitsOf = (key: LookupKey): Limits => limits[key] ?? scale

/** The questions that the scan page asks and the dashboard lists (spec 2.6). */
export function unansweredKeys(answers: Answers): LookupKey[] {
  return lookupKeys.filter((key) => answers[key] === undefined)
}

function questionFields(texts: Texts, keys: readonly LookupKey[]): Markup | '' {
  if (keys.length === 0) return ''
  return html`<fieldset><legend>${texts['questions.heading']}</legend>
<p>${texts['questions.scale']}</p><input type="hidden" name="timezone" value="UTC">
${keys.map((key) => html`<label><span>${texts[`question.${key}`]}</span>${field(texts, key)}</label>`)}</fieldset>`
}

function field(texts: Texts, key: LookupKey): Markup {
  const [minimum, maximum] = limitsOf(key)
  if (maximum > 5) return html`<input type="number" name="${key}" min="${minimum}" max="${maximum}" step="1">`
  const choices = maximum === 1 ? [texts['questions.no'], texts['questions.yes']] : [1, 2, 3, 4, 5]
  const options = choices.map(
    (text, index) => html`<option value="${minimum + index}">${String(text)}</option>`,
  )
  return html`<select name="${key}"><option></option>${options}</select>`
}

/** The answers in a submitted form. Empty and invalid fields are ignored, because the browser enforces the limits. */
export function readAnswers(form: URLSearchParams): AnswerFields[] {
  const zone = form.get('timezone') ?? ''
  const timezone = isTimeZone(zone) ? zone : 'UTC'
  return lookupKeys.flatMap((lookup_key) => {
    const text = form.get(lookup_key) ?? ''
    const [minimum, maximum] = limitsOf(lookup_key)
    const value = Number(text)
    const isValid = /^\d+$/.test(text) && value >= minimum && value <= maximum
    return isValid ? [{ lookup_key, value, timezone }] : []
  })
}
