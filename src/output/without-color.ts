import { Writable } from 'node:stream'
import type { Output } from '../base/io.ts'

/** Control sequences that set a color or a style (SGR in ECMA-48). */
const style = /\x1b\[[\d;]*m/g

/** A terminal that removes colors. For a library with its own rules for colors. */
export function withoutColor(terminal: Output): Output {
  const plain = new Writable({
    write(chunk: Buffer, _, done) {
      terminal.write(chunk.toString().replace(style, ''))
      done()
    },
  })
  const { isTTY, columns, rows } = terminal
  return Object.assign(plain, { isTTY, columns, rows })
}
