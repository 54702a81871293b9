import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/** Environment variables for test/helpers/needs.ts: the PATH of the machine, and the path of a file with the skipped tests. */
export const programPath = 'FACESCAN_TEST_PROGRAMS'
export const skippedFile = 'FACESCAN_TEST_SKIPPED'

/** Programs that every test may start: Node, npm, git, sh, and parts of coreutils. */
const essential = [
  ...['node', 'npm', 'npx', 'git', 'sh'],
  ...['basename', 'cat', 'chmod', 'chown', 'cp', 'cut', 'date', 'dd', 'df', 'dirname', 'echo', 'env', 'expr'],
  ...['false', 'head', 'id', 'ln', 'ls', 'mkdir', 'mkfifo', 'mktemp', 'mv', 'nice', 'nproc', 'od', 'printf'],
  ...['pwd', 'readlink', 'realpath', 'rm', 'rmdir', 'seq', 'sleep', 'sort', 'split', 'stat', 'stty', 'tail'],
  ...['tee', 'test', 'timeout', 'touch', 'tr', 'true', 'tty', 'uname', 'uniq', 'wc', 'yes'],
]

/** Variables that lead a program to the desktop or keyring of the developer. They are removed from the environment of the tests. */
const desktop = ['DBUS_SESSION_BUS_ADDRESS', 'DISPLAY', 'WAYLAND_DISPLAY']

/**
 * Creates a directory for temporary files of the test run, and a PATH with only the essential programs. Otherwise, a test could depend on
 * a program of this machine. `test/helpers/needs.ts` finds other programs.
 */
export function setup(): () => void {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'facescan-tests-'))
  process.env['TMPDIR'] = folder
  for (const name of desktop) delete process.env[name]
  const skipped = join(folder, 'skipped')
  process.env[skippedFile] = skipped
  // On Windows, some users cannot create symbolic links, so the PATH is not limited there.
  if (process.platform !== 'win32') limitPath(join(folder, 'essential-programs'))
  return () => {
    if (existsSync(skipped)) process.stderr.write(sortedLines(readFileSync(skipped, 'utf8')))
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function limitPath(folder: string): void {
  const path = process.env['PATH'] ?? ''
  mkdirSync(folder)
  for (const name of essential) {
    const target =
      name === 'node'
        ? process.execPath
        : path
            .split(delimiter)
            .map((parent) => join(parent, name))
            .find((file) => existsSync(file))
    if (target) symlinkSync(target, join(folder, name))
  }
  process.env[programPath] = path
  process.env['PATH'] = folder
}

const sortedLines = (text: string) => `${[...new Set(text.trim().split('\n'))].sort().join('\n')}\n`
