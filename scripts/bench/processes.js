// Whole processes, timed.
import { spawn as spawnPlain } from 'node:child_process'
import { once } from 'node:events'
import { spawn as spawnInTerminal } from '@lydell/node-pty'

/** Runs a program to its end with its output in a pipe, or in a pseudo-terminal: ms. */
export async function timeProcess([command, ...words], { env, inTerminal = false }) {
  const startedAt = performance.now()
  const { code, text } = await (inTerminal ? endInTerminal : endInPipe)(command, words, env)
  const ms = performance.now() - startedAt
  if (code !== 0) throw new Error(`${command} ${words.join(' ')} ended with ${code}: ${text}`)
  return ms
}

async function endInPipe(command, words, env) {
  const child = spawnPlain(command, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  child.stdout.resume()
  child.stderr.on('data', (chunk) => {
    text += chunk
  })
  const [code] = await once(child, 'close')
  return { code, text }
}

function endInTerminal(command, words, env) {
  return new Promise((resolve) => {
    const child = spawnInTerminal(command, words, { env: { ...env, TERM: 'xterm-256color' } })
    let text = ''
    child.onData((chunk) => {
      text += chunk
    })
    child.onExit(({ exitCode }) => resolve({ code: exitCode, text }))
  })
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

/**
 * Median times of command lines by name, in ms. One after the other in each round, so that whatever else the machine does meets
 * all of them; the first round warms up and does not count.
 */
export async function medians(commands, rounds, { before = () => {}, ...options }) {
  const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]))
  for (let round = 0; round <= rounds; round++) {
    for (const [name, command] of Object.entries(commands)) {
      before()
      const ms = await timeProcess(command, options)
      if (round > 0) times[name].push(ms)
    }
  }
  return Object.entries(times).map(([name, each]) => ({ name, ms: median(each) }))
}
