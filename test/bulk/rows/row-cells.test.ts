import { describe, expect, it } from 'vitest'
import { check } from '../import-input.ts'

const uuid = '5151d12e-2f9a-4d7a-962f-fd85d23bd68b'
const result = '_line,_column,_code,_message'

/** Returns one text for each answer (line, user, key, value, and time zone) and for each problem (line, column, and code). */
async function fates(text: string, settings = {}) {
  const checked = await check(text, settings)
  const answers = (await checked.answers()).map(
    ({ line, user, lookup_key, value, timezone }) =>
      `${line} ${user.kind}=${user.id} ${lookup_key}=${value} ${timezone}`,
  )
  const problems = checked.plan.problems.map(({ line, column, code }) => `${line} ${column} ${code}`)
  return [...answers, ...problems].sort()
}

describe('the cells of a row', () => {
  it.each([
    [
      'timezone first',
      'timezone,external_user_id,lookup_key,value\nutc,a,height,1\n,b,height,2\nMars,c,height,3\n',
      [
        '2 external_user_id=a height=1 UTC',
        '3 external_user_id=b height=2 Europe/Amsterdam',
        '4 timezone timezone_unknown',
      ],
    ],
    [
      'value first',
      'value,lookup_key,user_id\n1,height,UUID\nx,,4711\n',
      [
        '2 user_id=UUID height=1 Europe/Amsterdam',
        '3 lookup_key key_missing',
        '3 user_id user_not_uuid',
        '3 value value_invalid',
      ],
    ],
    [
      'user_id first, before external_user_id',
      'user_id,external_user_id,lookup_key,value\n,a,height,1\nUUID,,height,2\nUUID,b,height,3\n,,height,4\n',
      [
        '2 external_user_id=a height=1 Europe/Amsterdam',
        '3 user_id=UUID height=2 Europe/Amsterdam',
        '4 external_user_id=b height=3 Europe/Amsterdam',
        '5 user_id user_missing',
      ],
    ],
    [
      'a lookup key first',
      'height,external_user_id,weight\n1,a,2\n,b,3\n4,,x\n',
      [
        '2 external_user_id=a height=1 Europe/Amsterdam',
        '2 external_user_id=a weight=2 Europe/Amsterdam',
        '3 external_user_id=b weight=3 Europe/Amsterdam',
        '4 external_user_id user_missing',
        '4 weight value_invalid',
      ],
    ],
    [
      'a time zone for each wide row',
      'external_user_id,height,timezone\na,1,utc\nb,2,+1\nc,,Mars\n',
      ['2 external_user_id=a height=1 UTC', '3 timezone timezone_offset', '4 timezone timezone_unknown'],
    ],
    [
      'apostrophes, which are part of an ID unless a program added them before a formula',
      "external_user_id,lookup_key,value\n'=x,height,1\n'y,height,2\n",
      ['2 external_user_id user_damaged', "3 external_user_id='y height=2 Europe/Amsterdam"],
    ],
  ])('each cell of a row is read by the name of its column: %s', async (_, text, fate) => {
    const withId = (line: string) => line.replaceAll('UUID', uuid)
    expect(await fates(withId(text))).toEqual(fate.map(withId))
  })

  it('a file with a column that is not a known lookup key requires --map or --ignore-columns', async () => {
    for (const [text, flags] of [
      ['external_user_id,Hight,weight\na,1,2\n', '--map Hight=height'],
      ['external_user_id,Pulse,weight,"a,b"\na,61 bpm,2,"7,5"\n', '--map a,b= --ignore-columns Pulse'],
    ] as const)
      await expect(check(text)).rejects.toMatchObject({ exitCode: 2, flags })
    expect(await fates('external_user_id,Pulse,weight\na,high,2\n')).toEqual([
      '2 external_user_id=a weight=2 Europe/Amsterdam',
    ])
  })

  it('an import of a result file ignores the result columns', async () => {
    const text = `'=who,lookup_key,value,'=note,${result}\n'=x,height,1,,2,a,b,c\n''=y,height,2,,3,,,\n`
    expect(await fates(text, { map: { '=who': 'external_user_id' }, ids: 'exact' })).toEqual([
      '2 external_user_id==x height=1 Europe/Amsterdam',
      "3 external_user_id='=y height=2 Europe/Amsterdam",
    ])
  })

  it.each([
    ['a,height', 'short_row', 'the row has 2 cells, but the header has 3'],
    ['a,height,1,2,3,4,5,6,7', 'long_row', 'the row has 5 cells, but the header has 3; quote cells'],
  ])(
    'a row in a result file is rejected if it has a wrong number of input cells: %s',
    async (row, code, message) => {
      const cells = code === 'short_row' ? `${row},2,a,b,c` : row
      const { plan } = await check(`external_user_id,lookup_key,value,${result}\n${cells}\n`)
      expect(plan.problems).toMatchObject([{ code, message: expect.stringContaining(message) }])
    },
  )

  it.each([
    ['lookup keys in rows', 'external_user_id,lookup_key,value\na,hight,1\nb,,2\nc,height,x\n,hight,\n', 2],
  ])('unknown lookup keys are reported, except empty keys: %s', async (_, text, rows) => {
    const { plan } = await check(text)
    expect(plan.unknown_keys).toEqual([{ key: 'hight', rows, first_line: 2, nearest: 'height' }])
  })

  it('user IDs of 1024 bytes are accepted, and longer user IDs are rejected', async () => {
    const ids = ['é'.repeat(512), 'x'.repeat(1024), `${'é'.repeat(512)}x`, `${'x'.repeat(1024)}é`]
    const text = `external_user_id,lookup_key,value\n${ids.map((id) => `${id},height,1`).join('\n')}\n`
    const { plan } = await check(text)
    expect(plan.answers).toBe(2)
    expect(plan.problems.map(({ line, code }) => `${line} ${code}`)).toEqual([
      '4 user_too_long',
      '5 user_too_long',
    ])
  })
})
