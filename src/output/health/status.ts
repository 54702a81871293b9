const dimensions = ['physical', 'mental', 'energy & sleep'] as const

/** The characters of a status label (spec 2.4). */
const meanings: Readonly<Record<string, string>> = {
  U: 'unknown',
  L: 'suboptimal',
  N: 'average',
  G: 'optimal',
}

/** The words of a label in the order physical, mental, energy & sleep; undefined for a label of any other form. */
export function statusWords(label: unknown): readonly [string, string, string] | undefined {
  if (typeof label !== 'string' || label.length !== dimensions.length) return undefined
  const [physical, mental, energySleep] = [...label].map((letter) => meanings[letter])
  return physical && mental && energySleep ? [physical, mental, energySleep] : undefined
}

/** `GLN: physical optimal, mental suboptimal, energy & sleep average`; an unknown label is returned unchanged. */
export function spellStatus(label: unknown): string {
  const words = statusWords(label)
  if (!words) return typeof label === 'string' ? label : ''
  return `${label}: ${words.map((word, index) => `${dimensions[index]} ${word}`).join(', ')}`
}
