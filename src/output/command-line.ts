import { widthOf } from './text.ts'

const indent = '  '

/** The lines of a command. A long command continues after a backslash, before a flag or after an operator, so it can be copied. */
export function breakCommand(command: string, width: number): string[] {
  const parts = command.split(/ (?=-\S)|(?<=\||&&) /)
  const lines: string[] = []
  parts.forEach((part, index) => {
    const inset = lines.length > 1 ? indent.length : 0
    const room = width - inset - (index < parts.length - 1 ? 2 : 0)
    const joined = `${lines.at(-1)} ${part}`
    if (index > 0 && widthOf(joined) <= room) lines[lines.length - 1] = joined
    else lines.push(part)
  })
  return lines.map(
    (line, index) => `${index === 0 ? '' : indent}${line}${index < lines.length - 1 ? ' \\' : ''}`,
  )
}
