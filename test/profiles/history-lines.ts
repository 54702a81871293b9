import type { HistoryRecord, Intent, Outcome } from '../../src/profiles/history-line.ts'

/** An intent as the program writes it. */
export function intentOf(change: Partial<Intent> = {}): Intent {
  return {
    time: '2026-01-01T00:00:00Z',
    event: 'intent',
    os_user: 'ada',
    profile: 'ACME',
    host: 'api.example',
    fingerprint: '0123456789ab',
    command: 'users delete',
    method: 'DELETE',
    path: '/v2/users/',
    user_id: null,
    external_id_hash: null,
    is_import: false,
    detail: null,
    reason: null,
    ...change,
  }
}

export function outcomeOf(intent: number, change: Partial<Outcome> = {}): HistoryRecord {
  return {
    time: '2026-01-01T00:00:01Z',
    event: 'outcome',
    intent,
    outcome: 'done',
    status: 204,
    request_id: null,
    user_id: null,
    detail: null,
    ...change,
  }
}
