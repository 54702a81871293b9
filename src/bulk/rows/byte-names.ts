import type { Cells } from '../scan/cells.ts'
import { hashUser } from './user-hash.ts'

interface Name {
  view: DataView
  number: number
}

const none: readonly Name[] = []

/** Finds the index of the name that a cell contains, from the bytes of the cell. Creating a string for each cell would be slow. */
export class ByteNames {
  private readonly byHash = new Map<number, Name[]>()
  /** The name that was found last, because names are often repeated. */
  private last: Name | undefined
  size = 0

  /** Returns the number that stands for the name in a cell. Undefined for an unknown name. */
  find({ view, starts, ends }: Cells, column: number): number | undefined {
    const from = starts[column] as number
    const to = ends[column] as number
    if (this.last && isAt(this.last.view, view, from, to)) return this.last.number
    const hash = hashOf(view, from, to)
    const found = (this.byHash.get(hash) ?? none).find((name) => isAt(name.view, view, from, to))
    if (found) this.last = found
    return found?.number
  }

  /** Adds a name with its number. Several spellings can have the same number. */
  add(spelling: string, number: number): void {
    const { buffer, byteOffset, length } = Buffer.from(spelling)
    const view = new DataView(buffer, byteOffset, length)
    const hash = hashOf(view, 0, length)
    this.byHash.set(hash, [...(this.byHash.get(hash) ?? []), { view, number }])
    this.size++
  }
}

/** A 32-bit hash of the last eight bytes of a name, because names differ most at their end. A map with integer keys is fast. */
function hashOf(view: DataView, from: number, to: number): number {
  return hashUser(view, Math.max(from, to - 8), to) | 0
}

function isAt(name: DataView, view: DataView, from: number, to: number): boolean {
  const length = name.byteLength
  if (length !== to - from) return false
  let at = 0
  for (; at + 3 < length; at += 4) if (name.getInt32(at) !== view.getInt32(from + at)) return false
  for (; at < length; at++) if (name.getUint8(at) !== view.getUint8(from + at)) return false
  return true
}
