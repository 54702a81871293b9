// Makes the pictures of the README anew: runs the built program in a real pseudo-terminal on a throw-away sandbox.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawn } from '@lydell/node-pty'
import xterm from '@xterm/headless'
import { drawAnimation, drawScreen, drawStill } from './terminal-svg.js'

const folder = 'examples/screenshots'
const home = mkdtempSync(join(tmpdir(), 'facescan-screenshots-'))
const env = {
  PATH: process.env.PATH,
  HOME: home,
  LANG: 'C.UTF-8',
  TERM: 'xterm-256color',
  TZ: 'UTC',
}
const user = '--external-user-id 4711'

function open(line, columns) {
  const terminal = new xterm.Terminal({ cols: columns, rows: 45, allowProposedApi: true })
  const child = spawn(process.execPath, ['bin/facescan.js', ...line.split(' ').slice(1)], {
    cols: columns,
    rows: 45,
    env,
  })
  child.onData((text) => terminal.write(text))
  terminal.onData((answer) => child.write(answer))
  const ended = new Promise((resolve) => child.onExit(resolve))
  return { terminal, child, ended, settle: () => new Promise((resolve) => terminal.write('', resolve)) }
}

async function run(line, columns = 80) {
  const opened = open(line, columns)
  const { exitCode } = await opened.ended
  if (exitCode !== 0) throw new Error(`${line} exited ${exitCode}`)
  await opened.settle()
  return opened.terminal
}

async function photograph(name, line, columns) {
  writeFileSync(join(folder, `${name}.svg`), drawStill(line, await run(line, columns)))
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Types the answers one after the other and keeps a picture after each. */
async function record(name, line, answers) {
  const columns = 90
  const { terminal, child, ended, settle } = open(line, columns)
  const frames = []
  const keep = async (seconds) => {
    await settle()
    frames.push({ ...drawScreen(terminal), seconds })
  }
  for (const { until, keys } of answers) {
    for (let waited = 0; !screenText(terminal).includes(until); waited += 50) {
      if (waited > 10_000) throw new Error(`${until} did not appear`)
      await sleep(50)
    }
    await keep(1)
    child.write(keys)
    await sleep(150)
    await keep(1)
    child.write('\r')
  }
  await ended
  await keep(6)
  writeFileSync(join(folder, `${name}.svg`), drawAnimation(line, columns, frames))
}

function screenText(terminal) {
  const { active } = terminal.buffer
  return Array.from({ length: active.length }, (_, row) => active.getLine(row).translateToString(true)).join(
    '\n',
  )
}

mkdirSync(folder, { recursive: true })
try {
  await record('users-create', 'facescan users create', [
    { until: 'Your own id', keys: '4711' },
    { until: 'Date of birth', keys: '1984-02-29' },
    { until: 'Sex at birth', keys: '' },
    { until: 'Language', keys: '\x1b[B' },
    { until: 'Units', keys: '' },
  ])
  await run(`facescan sandbox scan ${user} --count 30 --days 60 --seed 7`)
  await photograph('biomarkers', `facescan biomarkers list ${user} --order desc --count 30`, 90)
  await photograph('chart', `facescan biomarkers list ${user} --order desc --count 30 --chart heart_rate`, 90)
  await photograph('metrics', `facescan metrics ${user}`)
  await photograph('dry-run', `facescan users update ${user} --language sv --dry-run`, 90)
} finally {
  rmSync(home, { recursive: true, force: true })
}
