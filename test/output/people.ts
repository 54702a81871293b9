import type { ListView, RecordView } from '../../src/output/view.ts'

export interface Person {
  user_id: string
  name: string | null
  score: number | null
  seen: string
  advice: string
}

/** Names that are hard to align: wide characters, right-to-left text, combining and joined characters, and control sequences. */
export const people: Person[] = [
  {
    user_id: '5151d12e-2f9a-4d7a-962f-fd85d23bd68b',
    name: 'Ada',
    score: 82,
    seen: '2026-03-04T11:58:00.5+00:00',
    advice: 'Walk for twenty minutes after lunch, and look at something far away every hour.',
  },
  {
    user_id: '6151d12e-2f9a-4d7a-962f-fd85d23bd68b',
    name: '日本 太郎',
    score: 7.5,
    seen: '2026-03-04T10:00:00+01:00',
    advice: 'Sleep',
  },
  {
    user_id: '7151d12e-2f9a-4d7a-962f-fd85d23bd68b',
    name: 'مُحَمَّد علي',
    score: null,
    seen: '2026-03-03T11:00:00Z',
    advice: '',
  },
  {
    user_id: '8151d12e-2f9a-4d7a-962f-fd85d23bd68b',
    name: '👨‍👩‍👧 Zoe\u0308',
    score: 100,
    seen: '2026-02-20T11:00:00Z',
    advice: 'Two\nlines',
  },
  {
    user_id: '9151d12e-2f9a-4d7a-962f-fd85d23bd68b',
    name: '\u001b]0;owned\u0007\u202eevil',
    score: 0,
    seen: '2025-03-04T11:00:00Z',
    advice: '=SUM(A1), "quoted"',
  },
]

const columns = [
  { key: 'user_id', title: 'User', whole: true },
  { key: 'name', title: 'Name' },
  { key: 'score', title: 'Score %', align: 'right' },
  { key: 'seen', title: 'Seen', time: true },
  { key: 'advice', title: 'Advice' },
] as const

export const peopleView: ListView<readonly Person[], Person> = {
  rows: (value) => value,
  columns,
  empty: 'no people yet',
}

export const personView: RecordView<Person> = { columns }
