import { pad, wrap } from '../../output/text.ts'
import type { Pen } from '../../output/view.ts'
import type { Step } from './steps.ts'

const maximumWidth = 100

const nextSteps = [
  ['facescan users create 4711', 'create a user in the built-in sandbox'],
  ['facescan profiles add ACME-DEV', 'connect to your service'],
  ['facescan --help', 'see all commands'],
] as const

export function opening(pen: Pen): string {
  const text = 'A tour of facescan on a temporary sandbox. Nothing leaves this machine.'
  return wrap(text, Math.min(pen.width, maximumWidth))
    .map((line) => pen.bold(line))
    .join('\n')
}

/** A line with the number and title of a step, and the reason for the step below. */
export function heading(number: number, { title, why }: Step, pen: Pen): string {
  const width = Math.min(pen.width, maximumWidth)
  const rule = '─'.repeat(Math.max(4, width - title.length - String(number).length - 5))
  const lines = wrap(why, width).map((line) => pen.dim(line))
  return `\n${pen.cyan(`── ${number} ${pen.bold(title)} ${rule}`)}\n${lines.join('\n')}\n`
}

export function closing(pen: Pen): string {
  const commandWidth = Math.max(...nextSteps.map(([command]) => command.length))
  return [
    `\n${pen.cyan('─'.repeat(Math.min(pen.width, maximumWidth)))}`,
    'That’s the tour; its data has been deleted. Next steps:',
    ...nextSteps.map(([command, text]) => `  ${pen.bold(pad(command, commandWidth))}  ${pen.dim(text)}`),
  ].join('\n')
}
