import { readSync } from 'node:fs'
import { openScratchFile, type ScratchFile, writeFully } from './scratch.ts'

export const blockBytes = 32 * 1024

/** The first blocks stay in memory, so that a small file needs no temporary file. */
const memoryBlocks = 128

export interface Block {
  index: number
  bytes: number
}

/** Blocks in a temporary file without a name. */
export class BlockStore {
  private readonly inMemory: Buffer[] = []
  private readonly free: number[] = []
  private count = 0
  private file: ScratchFile | undefined

  write(bytes: Buffer): Block {
    const index = this.free.pop() ?? this.count++
    if (index < memoryBlocks) {
      this.inMemory[index] = Buffer.from(bytes)
    } else {
      this.file ??= openScratchFile()
      writeFully(this.file.fd, bytes, (index - memoryBlocks) * blockBytes)
    }
    return { index, bytes: bytes.length }
  }

  read(block: Block, target: Buffer, at: number): void {
    const kept = this.inMemory[block.index]
    if (kept) kept.copy(target, at)
    else if (this.file) this.readFully(this.file.fd, block, target, at)
  }

  release(block: Block): void {
    this.free.push(block.index)
  }

  close(): void {
    this.file?.close()
    this.file = undefined
    this.inMemory.length = 0
  }

  private readFully(fd: number, block: Block, target: Buffer, at: number): void {
    const position = (block.index - memoryBlocks) * blockBytes
    let done = 0
    while (done < block.bytes) {
      const count = readSync(fd, target, at + done, block.bytes - done, position + done)
      if (count === 0) throw new Error('a temporary file is shorter than what was written to it')
      done += count
    }
  }
}
