import { expect, vi } from 'vitest'
import { AuditCommand } from '../../src/audit/audit-command.ts'
import type { ChangeFacts } from '../../src/audit/log.ts'

/** The facts about a change that a command passes to the audit log before the change. */
export function intentOf(change: ChangeFacts = {}): ChangeFacts {
  return {
    profile: 'ACME',
    host: 'api.example',
    fingerprint: '0123456789ab',
    command: 'users delete',
    method: 'DELETE',
    path: '/v2/users/',
    ...change,
  }
}

/** Makes facescan wait for the end of each audit command. The usual wait of 0.3 s is too short on a busy machine. */
export function awaitEndOfAuditCommands(): void {
  vi.spyOn(AuditCommand.prototype, 'start').mockImplementation(async function (this: AuditCommand) {
    await expect.poll(() => this.failure).toBeDefined()
  })
}
