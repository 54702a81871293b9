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
