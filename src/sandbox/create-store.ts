import { randomBytes, randomInt } from 'node:crypto'
import { busyTimeoutMs, type Database } from './database.ts'

const schema = `
  create table if not exists setting (name text primary key, value text not null);
  create table if not exists user (
    user_id text primary key,
    external_hash text unique,
    birth_date text,
    sex text,
    language text,
    preferred_unit_system text,
    created_at_ms integer not null
  );
  create table if not exists scan (
    face_scan_id text primary key,
    user_id text not null references user on delete cascade,
    taken_at_ms integer not null,
    heart_rate real not null,
    respiratory_rate real not null,
    heart_rate_variability real not null,
    resonant_breathing_score real not null,
    systolic_blood_pressure real not null,
    diastolic_blood_pressure real not null
  );
  create index if not exists scan_of_user on scan (user_id, taken_at_ms);
  create table if not exists answer (
    sequence integer primary key autoincrement,
    user_id text not null references user on delete cascade,
    lookup_key text not null,
    value integer not null,
    timezone text not null,
    health_scan_id text not null,
    answered_at_ms integer not null
  );
  create index if not exists answer_of_user on answer (user_id, sequence);
  create index if not exists answer_by_key on answer (user_id, lookup_key, sequence);
  create table if not exists used_link (token_id text primary key, expires_at_ms integer not null);
`

/** Values that are set when the store is created. */
export interface Settings {
  development_key: string
  production_key: string
  id_secret: string
  token_secret: string
  customer: string
}

/** Creates the tables, the API keys, and the other settings of a new store. Another process may do this at the same time. */
export function initialize(database: Database, schemaVersion: number): void {
  switchToWriteAheadLog(database)
  const settings: Settings = {
    development_key: issueKey(),
    production_key: issueKey(),
    id_secret: randomBytes(32).toString('hex'),
    token_secret: randomBytes(32).toString('hex'),
    customer: 'Acme Wellness',
  }
  database.transaction(() => {
    database.exec(schema)
    for (const setting of Object.entries(settings))
      database.run('insert or ignore into setting (name, value) values (?, ?)', ...setting)
    database.exec(`pragma user_version = ${schemaVersion}`)
  })
}

/** Waits for other processes that open the store, because SQLite ignores the busy timeout for a change of the journal mode. */
function switchToWriteAheadLog(database: Database): void {
  const deadline = Date.now() + busyTimeoutMs
  for (;;) {
    try {
      // The journal mode is stored in the file, so it also applies to later connections.
      database.all('pragma journal_mode = wal')
      return
    } catch (error) {
      const isBusy = error instanceof Error && /locked|busy/i.test(error.message)
      if (!isBusy || Date.now() > deadline) throw error
      // Sleeps for 20 ms.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    }
  }
}

// Real API keys can contain these characters. A client that splits or decodes keys fails in the sandbox because of them.
const keyMarks = '!-._@'

/** Creates an API key with 40 characters. */
function issueKey(): string {
  const parts = Array.from({ length: 5 }, () => randomBytes(4).toString('hex').slice(0, 7))
  return parts.map((part) => part + keyMarks[randomInt(keyMarks.length)]).join('')
}
