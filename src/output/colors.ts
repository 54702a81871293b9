import type { Clock } from '../base/clock.ts'
import { type Environment, isOn, type Output } from '../base/io.ts'
import type { ColorMode } from './settings.ts'
import type { Style, Terminal } from './view.ts'

interface TerminalOptions {
  stream: Output | Pick<Output, 'isTTY' | 'columns' | 'rows'>
  env: Environment
  color: ColorMode
  clock: Pick<Clock, 'now'>
}

/** The order of precedence: --color, NO_COLOR (no-color.org), FORCE_COLOR, CLICOLOR_FORCE, whether the stream is a terminal. */
function wantsColor({ stream, env, color }: TerminalOptions): boolean {
  if (color !== 'auto') return color === 'always'
  if (env['NO_COLOR']) return false
  if (env['FORCE_COLOR']) return isOn(env['FORCE_COLOR'])
  if (isOn(env['CLICOLOR_FORCE'])) return true
  return stream.isTTY === true && env['TERM'] !== 'dumb'
}

export async function createTerminal(options: TerminalOptions): Promise<Terminal> {
  const { stream, env, clock } = options
  const columns = Number(env['COLUMNS'])
  const isTTY = stream.isTTY === true
  const color = wantsColor(options)
  const chalk = color ? new (await import('chalk')).Chalk({ level: 1 }) : undefined
  // A style of chalk prints all its arguments, so `lines.map(chalk.bold)` would also print the index and the array.
  const styled = (style: Style) => (text: string) => chalk?.[style](text) ?? text
  return {
    bold: styled('bold'),
    dim: styled('dim'),
    red: styled('red'),
    green: styled('green'),
    yellow: styled('yellow'),
    cyan: styled('cyan'),
    color,
    isTTY,
    width: Number.isInteger(columns) && columns > 0 ? columns : stream.columns || 80,
    height: stream.rows || 24,
    pictures: isTTY && env['TERM'] !== 'dumb' && !isOn(env['ACCESSIBLE']),
    reference: false,
    // The clock is read each time, because a command can wait for a long time before it prints.
    get now() {
      return clock.now()
    },
  }
}
