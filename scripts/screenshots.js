// Takes the pictures in the README: runs the built program in a pseudo-terminal with a temporary sandbox.
//   node scripts/screenshots.js           updates the pictures whose text changed
//   node scripts/screenshots.js --check   fails if the text of a picture changed
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawn } from '@lydell/node-pty'
import xterm from '@xterm/headless'
import { drawAnimation, drawScreen, drawStill } from './terminal-svg.js'

const folder = 'examples/screenshots'
const isCheck = process.argv.includes('--check')
const outdated = []
const home = mkdtempSync(join(tmpdir(), 'facescan-screenshots-'))
const env = {
  PATH: process.env.PATH,
  HOME: home,
  LANG: 'C.UTF-8',
  TERM: 'xterm-256color',
  TZ: 'UTC',
}
const user = '4711'

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

/** The text of a picture without the parts that differ in each run. */
function textOf(svg) {
  const text = [...svg.matchAll(/>([^<>]*)<\/text>/g)].map(([, line]) => line).join('\n')
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'UUID')
    .replace(/\b\d{1,2} [A-Z][a-z]{2}\b( \d{4})?/g, 'DATE')
    .replace(/127\.0\.0\.1:\d+/g, 'HOST')
}

function save(name, svg) {
  const path = join(folder, `${name}.svg`)
  if (existsSync(path) && textOf(readFileSync(path, 'utf8')) === textOf(svg)) return
  outdated.push(path)
  if (!isCheck) writeFileSync(path, svg)
}

async function photograph(name, line, columns) {
  save(name, drawStill(line, await run(line, columns)))
}

async function waitUntil(condition, description) {
  for (let waitedMs = 0; !condition(); waitedMs += 50) {
    if (waitedMs > 10_000) throw new Error(`waited 10 s for ${description}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Types one answer after the other and takes a picture before and after each. */
async function record(name, line, answers) {
  const columns = 90
  const { terminal, child, ended, settle } = open(line, columns)
  const frames = []
  const keep = async (seconds) => {
    await settle()
    frames.push({ ...drawScreen(terminal), seconds })
  }
  for (const { until, keys } of answers) {
    await waitUntil(() => screenText(terminal).includes(until), `the text "${until}"`)
    await keep(1)
    const before = screenText(terminal)
    child.write(keys)
    if (keys !== '') await waitUntil(() => screenText(terminal) !== before, 'the typed answer')
    await keep(1)
    child.write('\r')
  }
  await ended
  await keep(6)
  save(name, drawAnimation(line, columns, frames))
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
  await photograph('chart', `facescan biomarkers list ${user} --order desc --count 30 --chart=heart_rate`, 90)
  await photograph('metrics', `facescan metrics ${user}`)
  await photograph('dry-run', `facescan users update ${user} --language sv --dry-run`, 90)
} finally {
  rmSync(home, { recursive: true, force: true })
}
for (const path of outdated) console.log(isCheck ? `${path} is out of date` : `updated ${path}`)
if (isCheck && outdated.length > 0) process.exitCode = 1
