import type { Question } from '../questions.ts'

const shownIds = 3

/** Notices IDs of digits that have probably lost their leading zeros: most IDs are `000101`, others are `102`. */
export class IdSurvey {
  private total = 0
  /** By length: the number of IDs, of IDs with a leading zero, and the first IDs. */
  private readonly lengths = new Map<number, { ids: number; padded: number; first: string[] }>()

  note(bytes: Buffer, from: number, to: number): void {
    if (from === to) return
    this.total++
    for (let at = from; at < to; at++) {
      const byte = bytes[at] as number
      if (byte < 0x30 || byte > 0x39) return
    }
    const length = to - from
    const found = this.lengths.get(length) ?? { ids: 0, padded: 0, first: [] }
    if (found.ids === 0) this.lengths.set(length, found)
    found.ids++
    if (bytes[from] === 0x30) found.padded++
    if (found.first.length === shownIds) return
    const id = bytes.toString('latin1', from, to)
    if (!found.first.includes(id)) found.first.push(id)
  }

  question(): Question[] {
    const usual = [...this.lengths].find(([, { ids, padded }]) => padded > 0 && ids * 2 > this.total)
    if (!usual) return []
    const [length, { first }] = usual
    const shorter = [...this.lengths].filter(([other, { ids, padded }]) => other < length && padded < ids)
    if (shorter.length === 0) return []
    const lost = shorter.flatMap((entry) => entry[1].first).filter((id) => !id.startsWith('0'))
    const count = shorter.reduce((sum, [, { ids, padded }]) => sum + ids - padded, 0)
    const [example = ''] = lost
    return [
      {
        problem: `most user IDs have ${length} digits, such as ${first.join(', ')}, but ${count} ${count === 1 ? 'is' : 'are'} shorter, such as ${lost.slice(0, shownIds).join(', ')}. Leading zeros are probably lost: --ids pad:${length} restores the zeros, --ids keep uses the IDs as they are`,
        suggested: { ids: 'keep' },
        prompts: [
          {
            label: `The user ID ${example} is`,
            choices: [
              { name: `${example.padStart(length, '0')} without its leading zeros`, set: { ids: length } },
              { name: `${example}, as it is written`, set: { ids: 'keep' } },
            ],
          },
        ],
      },
    ]
  }
}
