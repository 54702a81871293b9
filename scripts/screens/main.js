// Runs the screens in list.js in a pseudo-terminal. Writes their pictures to one page: npm run screens
//   WORDS        runs only screens whose command line contains the words, such as "users create"
//   --pictures   only updates the pictures of the README
//   --check      fails if a picture of the README is out of date
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { spawn } from '@lydell/node-pty'
import xterm from '@xterm/headless'
import { drawScreen } from './draw.js'
import { files, screens } from './list.js'

const isCheck = process.argv.includes('--check')
const words = process.argv
  .slice(2)
  .filter((word) => !word.startsWith('--'))
  .join(' ')
const onlyPictures = isCheck || process.argv.includes('--pictures')
const limitMs = 10_000
const home = mkdtempSync(join(tmpdir(), 'facescan-screens-'))
cpSync('examples', join(home, 'examples'), { recursive: true })
for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text)
writeFileSync(
  join(home, 'facescan'),
  `#!/bin/sh\nexec "${process.execPath}" "${resolve('bin/facescan.js')}" "$@"\n`,
)
chmodSync(join(home, 'facescan'), 0o755)

const environments = {
  dark: {},
  light: { COLORFGBG: '0;15' },
  'no-color': { NO_COLOR: '1' },
  dumb: { TERM: 'dumb' },
}

/** Servers that run until the last screen is finished. */
const servers = []

/** Messages about failed screens. The gallery also contains the pictures of failed screens. */
const problems = []

/** Runs the command of a screen until it ends, or until the text `shownAt` appears. */
async function run({ line, size = '80x24', look = 'dark', type = [], shownAt, env, picture, background }) {
  const [cols, rows] = size.split('x').map(Number)
  const terminal = new xterm.Terminal({ cols, rows, allowProposedApi: true })
  const base = {
    PATH: `${home}:${process.env.PATH}`,
    HOME: home,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    TERM: 'xterm-256color',
  }
  const child = spawn('/bin/bash', ['-c', line], {
    ...{ cols, rows, cwd: home },
    env: { ...base, ...environments[look], ...env },
  })
  let ended
  child.onExit(({ exitCode }) => {
    ended = exitCode
  })
  child.onData((text) => terminal.write(text))
  terminal.onData((answer) => child.write(answer))
  for (const [text, keys] of type) {
    await until(() => textOn(terminal).includes(text), `${line}: no "${text}"`)
    child.write(keys)
  }
  if (shownAt === undefined) await until(() => ended !== undefined, `${line}: still running`)
  else await until(() => textOn(terminal).includes(shownAt), `${line}: no "${shownAt}"`)
  if (picture && ended !== 0) problems.push(`${line}: exit code ${ended}`)
  await new Promise((resolve) => terminal.write('', resolve))
  if (background) servers.push(child)
  else child.kill()
  return terminal
}

function textOn({ buffer: { active }, rows }) {
  return Array.from({ length: rows }, (_, row) =>
    active.getLine(active.baseY + row)?.translateToString(true),
  ).join('\n')
}

async function until(condition, problem) {
  for (let waitedMs = 0; !condition(); waitedMs += 50) {
    if (waitedMs > limitMs) return problems.push(problem)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  // Waits for the output that follows the expected text.
  await new Promise((resolve) => setTimeout(resolve, 200))
}

/** The text of a picture. The parts that differ in each run are removed, so that two pictures can be compared. */
function textOf(svg) {
  const text = [...svg.matchAll(/>([^<>]*)<\/text>/g)].map(([, line]) => line).join('\n')
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'UUID')
    .replace(/\b\d{1,2} [A-Z][a-z]{2}\b( \d{4})?(, \d{2}:\d{2})?/g, 'DATE')
    .replace(/127\.0\.0\.1:\d+/g, 'HOST')
}

/** Returns whether the text of a picture has changed. Writes a changed picture, except with --check. */
function isOutdated(path, svg) {
  if (existsSync(path) && textOf(readFileSync(path, 'utf8')) === textOf(svg)) return false
  if (!isCheck) writeFileSync(path, svg)
  return true
}

function pageOf(drawn) {
  const sections = drawn.map(
    ({ line, size = '80x24', look = 'dark', env = {}, svg }) =>
      `<h2>${line} <small>${[size, look, ...Object.keys(env)].join(', ')}</small></h2>\n${svg}`,
  )
  const style = 'body{font-family:sans-serif;background:#cbd2da}h2{font-size:1rem}'
  return `<!doctype html><meta charset="utf-8"><title>Screens</title><style>${style}</style>\n${sections.join('\n')}`
}

const lastPicture = screens.findLastIndex(({ picture }) => picture)
const drawn = []
const outdated = []
try {
  for (const screen of onlyPictures ? screens.slice(0, 1 + lastPicture) : screens) {
    // Hidden screens and screens with typing create the user and the scans that later screens need.
    const isNeeded = screen.hidden || screen.type
    if (!isNeeded && (onlyPictures ? !screen.picture : !screen.line.includes(words))) continue
    const terminal = await run(screen)
    if (screen.hidden) continue
    const look = screen.look === 'light' ? 'light' : 'dark'
    drawn.push({ ...screen, svg: drawScreen(screen.line, terminal, { look }) })
    if (!screen.picture) continue
    const path = `examples/screenshots/${screen.picture}.svg`
    if (isOutdated(path, drawScreen(screen.line, terminal, { cropped: true }))) outdated.push(path)
  }
} finally {
  for (const server of servers) server.kill()
  rmSync(home, { recursive: true, force: true })
}
if (!onlyPictures) {
  mkdirSync('reports', { recursive: true })
  writeFileSync('reports/screens.html', pageOf(drawn))
  console.log(`${drawn.length} screens: reports/screens.html`)
}
for (const path of outdated) console.log(`${path} is ${isCheck ? 'out of date' : 'updated'}`)
for (const problem of problems) console.log(`problem: ${problem}`)
if (problems.length > 0 || (isCheck && outdated.length > 0)) process.exitCode = 1
// Exits explicitly, because the pseudo-terminal of a stopped command could keep this process alive.
process.exit()
