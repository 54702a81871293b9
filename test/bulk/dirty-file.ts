import { check } from './import-input.ts'

export const header = 'external_user_id,lookup_key,value'
export const good = `${header}\na,height,180\nb,weight,70\n`
export const goodAnswers = ['a height 180 Europe/Amsterdam', 'b weight 70 Europe/Amsterdam']

export const utf16 = (text: string, mark: 'LE' | 'BE' | 'none') => {
  const bytes = Buffer.from(`${mark === 'none' ? '' : '\ufeff'}${text}`, 'utf16le')
  return mark === 'BE' ? bytes.swap16() : bytes
}

/** Checks the text as the content of a file. Returns the line and the error code of each problem. */
export const faults = async (text: string | Buffer, settings = {}, options = {}) => {
  const { plan } = await check(text, settings, options)
  return plan.problems.map(({ line, code }) => `${line} ${code}`)
}

export const problemOf = async (row: string, columns = header) => {
  const { plan } = await check(`${columns}\n${row}\n`)
  return plan.problems[0]
}

/** The bytes of a text in an encoding with one byte per letter. */
export function encoded(text: string, encoding: string): Buffer {
  const bytes = Array.from({ length: 256 }, (_, byte) => byte)
  const letters = bytes.map((byte) => new TextDecoder(encoding).decode(Uint8Array.of(byte)))
  return Buffer.from([...text].map((letter) => letters.indexOf(letter)))
}
