import type { Clock } from '../../base/clock.ts'
import type { Engine } from '../engine/engine.ts'
import type { Journal } from '../journal/journal.ts'
import type { Lock } from '../lock.ts'
import type { ServiceClock } from '../service-clock.ts'
import type { Batch } from '../types.ts'
import type { ActiveWriters } from '../writers/active-writers.ts'
import type { AnswerService } from './api-service.ts'
import type { RowRecorder } from './row-recorder.ts'
import type { UserQueue } from './user-queue.ts'

/** Objects and settings that the parts of a run share. */
export interface RunParts {
  service: AnswerService
  serviceClock: ServiceClock
  journal: Journal
  lock: Pick<Lock, 'ensureHeld'>
  recorder: RowRecorder
  engine: Pick<Engine<Batch, UserQueue>, 'halt' | 'stop' | 'pace' | 'releaseSlotWhile' | 'isStalled'>
  /** Other commands on this machine that save answers. */
  writers: Pick<ActiveWriters, 'findConcurrentWriter'>
  clock: Clock
  random(): number
  timeoutMs: number
  /** What to do with rows whose outcome is unknown. */
  onAmbiguous: 'hold' | 'resend' | 'skip'
}
