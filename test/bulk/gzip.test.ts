import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openInput } from '../../src/bulk/open-input.ts'
import { brief, check } from './import-input.ts'

const good = 'external_user_id,lookup_key,value\na,height,180\nb,weight,70\n'
const goodAnswers = ['a height 180 Europe/Amsterdam', 'b weight 70 Europe/Amsterdam']
const utf16 = Buffer.from(`\ufeff${good}`, 'utf16le').swap16()

describe('gzip and standard input', () => {
  it('an import reads a gzip file that consists of one gzip stream or of several streams', async () => {
    const members = Buffer.concat([gzipSync(good), gzipSync('c,smoking,0\n')])
    const checked = await check(members, {}, { name: 'answers.csv.gz' })
    expect(checked.plan).toMatchObject({ gzip: true, rows: 3, identity: { bytes: members.length } })
    expect(brief(await checked.answers())).toContain('c smoking 0 Europe/Amsterdam')
  })

  it('an import reads compressed and plain text from standard input, and detects the format from the content', async () => {
    for (const bytes of [Buffer.from(good), gzipSync(good), gzipSync(utf16)]) {
      const checked = await check(bytes, {}, { name: '-' })
      expect(checked.plan).toMatchObject({ name: 'standard input', format: 'csv', rows: 2 })
      expect(brief(await checked.answers())).toEqual(goodAnswers)
    }
  })

  it.each([1, 7, 100_000])(
    'with chunks of %i bytes, an import accepts zeros after gzip data, and refuses other data',
    async (size) => {
      const read = async (...parts: (Buffer | string)[]) => {
        const bytes = Buffer.concat(parts.map((part) => Buffer.from(part)))
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
          bytes.subarray(n * size, (n + 1) * size),
        )
        const input = await openInput('-', Readable.from(pieces))
        onTestFinished(() => input.close())
        return input.end
      }
      const zeros = Buffer.alloc(20)
      const second = gzipSync('c,smoking,0\n')
      expect(await read(gzipSync(good), zeros)).toBe(good.length)
      expect(await read(gzipSync(good), second, zeros)).toBe(good.length + 12)
      await expect(read(gzipSync(good), zeros, second)).rejects.toThrow(
        /has extra data after the end of the gzip data/,
      )
      await expect(read(gzipSync(good), zeros, 'c,smoking,0\n')).rejects.toThrow(/has extra data after/)
      await expect(read(gzipSync(good), 'c,smoking,0\n')).rejects.toThrow(/is a damaged gzip file/)
    },
  )

  it('an import refuses a truncated gzip file', async () => {
    await expect(check(gzipSync(good).subarray(0, -9))).rejects.toThrow(/is a truncated gzip file/)
  })
})
