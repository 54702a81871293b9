import { createHash } from 'node:crypto'

/** The start of the SHA-256 of a text, in hexadecimal. For the names of files and folders. */
export function shortHash(text: string, digits = 32): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits)
}
