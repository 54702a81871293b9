import type { Answer, Batch, UserRef } from '../types.ts'

/** Cuts the answers of one user after another into batches. Batches that are done are not built. */
export class BatchCutter {
  private readonly batchSize: number
  private readonly isDone: (id: number) => boolean
  private ready: Batch[] = []
  private user: UserRef = { kind: 'external_user_id', id: '' }
  private nextId = 0
  private count = 0
  private current: Batch | undefined

  constructor(batchSize: number, isDone: (id: number) => boolean = () => false) {
    this.batchSize = batchSize
    this.isDone = isDone
  }

  startUser(user: UserRef): UserRef {
    this.end()
    this.user = user
    return user
  }

  /** Counts the next answer of the user. Returns true if the answer must be added, because its batch is not done. */
  next(): boolean {
    if (this.count === this.batchSize) this.end()
    if (this.count === 0) this.begin()
    this.count++
    return this.current !== undefined
  }

  add(answer: Answer): void {
    this.current?.rows.push(answer)
  }

  end(): void {
    if (this.current) this.ready.push(this.current)
    this.current = undefined
    this.count = 0
  }

  take(): Batch[] {
    const { ready } = this
    if (ready.length > 0) this.ready = []
    return ready
  }

  private begin(): void {
    const id = this.nextId++
    if (!this.isDone(id)) this.current = { id, user: this.user, rows: [] }
  }
}
