import { Writable } from 'node:stream'
import type { Output } from '../base/io.ts'

/** What sets a colour or a style, in the control sequences of ECMA-48 (SGR). */
const style = /\x1b\[[\d;]*m/g

/** The same terminal for a part of the program that colours what it writes by rules of its own. */
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
