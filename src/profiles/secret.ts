import { inspect } from 'node:util'
import { ConfigurationError } from '../base/errors.ts'
import { shortHash } from '../base/text.ts'

/** A key or token. Only `reveal()` returns the text. Printing, logging, and JSON show a mask. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  reveal(): string {
    return this.#value
  }

  toString(): string {
    return '***'
  }

  toJSON(): string {
    return '***'
  }

  [inspect.custom](): string {
    return '***'
  }
}

/** The first 12 hex digits of the SHA-256 of a key. A key is not shown in any other form. */
export function fingerprintOf(secret: Secret): string {
  return shortHash(secret.reveal(), 12)
}

/** Parses the text of a key, and removes one line break at its end. Errors do not contain the text. */
export function parseSecret(text: string, source: string): Secret {
  const value = text.replace(/\r?\n$/, '')
  if (value === '')
    throw new ConfigurationError(`${source} is empty`, { hint: 'It must contain the key and nothing else.' })
  if (!/^[\x21-\x7e]+$/.test(value)) {
    throw new ConfigurationError(
      `${source} contains a space, a line break, or another character that is not allowed in a key`,
      { hint: 'Pass only the key, on one line, as plain ASCII text without quotes or a byte order mark.' },
    )
  }
  return new Secret(value)
}
