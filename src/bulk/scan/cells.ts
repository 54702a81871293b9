import { allocate, type Memory } from './memory.ts'

/** The cells of one record: `bytes[starts[i]..ends[i])`. Reused from record to record. */
export class Cells implements Memory {
  bytes: Buffer
  view: DataView
  count = 0
  starts = new Int32Array(64)
  ends = new Int32Array(64)

  constructor(byteCount: number) {
    const memory = allocate(byteCount)
    this.bytes = memory.bytes
    this.view = memory.view
  }

  replaceMemory(memory: Memory): void {
    this.bytes = memory.bytes
    this.view = memory.view
  }

  /** Makes room. The content is lost. */
  prepare(byteCount: number, count: number): void {
    if (this.bytes.length < byteCount) this.replaceMemory(allocate(byteCount * 2))
    while (this.starts.length < count) this.doubleCells()
  }

  doubleCells(): void {
    const { starts, ends } = this
    this.starts = new Int32Array(starts.length * 2)
    this.starts.set(starts)
    this.ends = new Int32Array(ends.length * 2)
    this.ends.set(ends)
  }
}
