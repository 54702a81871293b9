import type { ChangeFacts } from '../../src/audit/log.ts'

/** The facts that a command passes to the audit log before a change. */
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
