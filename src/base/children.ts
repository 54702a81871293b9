import { type ChildProcess, spawnSync } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { orUndefined } from './functions.ts'
import type { Environment } from './io.ts'

/** Whether this process runs on a terminal. On a terminal, Ctrl-C also reaches every program that this process started. */
export function hasTerminal(): boolean {
  if (process.platform === 'win32') return true
  const terminal = orUndefined(() => openSync('/dev/tty', 'r'))
  if (terminal !== undefined) closeSync(terminal)
  return terminal !== undefined
}

/**
 * Kills a program and the programs that it started. Closes the output, because a program that is still running could keep it open. If the
 * program has no process group of its own (on a terminal), its children are found in the process table.
 */
export function killWithChildren(child: ChildProcess): void {
  const { pid } = child
  const killed = pid === undefined ? undefined : orUndefined(() => process.kill(-pid, 'SIGKILL'))
  const others = pid === undefined || killed ? [] : listDescendants(pid)
  child.kill('SIGKILL')
  for (const other of others) orUndefined(() => process.kill(other, 'SIGKILL'))
  child.stdout?.destroy()
  child.stderr?.destroy()
}

function listDescendants(pid: number): number[] {
  const processes = process.platform === 'linux' ? readProcesses() : listProcesses()
  const childrenOf = (parent: number): number[] =>
    processes.flatMap(([id = 0, parentId]) => (parentId === parent ? [id, ...childrenOf(id)] : []))
  return childrenOf(pid)
}

/** Pairs of a process ID and the ID of its parent. Read from /proc, because small containers have no `ps`. */
function readProcesses(): number[][] {
  return (orUndefined(() => readdirSync('/proc')) ?? []).flatMap((name) => {
    const stat = orUndefined(() => readFileSync(`/proc/${name}/stat`, 'latin1'))
    // The name of the program is in parentheses and can contain parentheses, so the fields are read after the last parenthesis.
    const [, parent] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? []
    return parent === undefined ? [] : [[Number(name), Number(parent)]]
  })
}

function listProcesses(): number[][] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], {
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin' },
  })
  return (stdout ?? '').split('\n').map((line) => line.trim().split(/\s+/).map(Number))
}

const secrets = ['FACESCAN_API_KEY', 'FACESCAN_API_KEY_FILE', 'FACESCAN_ACTION_TOKEN']

/** The environment for a program that the user configured, such as a key command. It contains all variables except secrets. */
export function commandEnvironment(env: Environment): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !secrets.includes(name)))
}

/** Variables that browsers, clipboard programs, and keyrings need: PATH, home, locale, display, and session bus. */
const needed = new RegExp(
  `^(${[
    'PATH|HOME|USER|LOGNAME|SHELL|TMPDIR|TZ|LANG|LANGUAGE|LC_\\w+',
    'DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_\\w+|DESKTOP_SESSION|GNOME_\\w+|KDE_\\w+|BROWSER',
    'DBUS_SESSION_BUS_ADDRESS|WSL_DISTRO_NAME|WSL_INTEROP|WSLENV',
    'SystemRoot|windir|USERPROFILE|APPDATA|LOCALAPPDATA|ProgramFiles.*|PATHEXT|ComSpec|TEMP|TMP',
  ].join('|')})$`,
  process.platform === 'win32' ? 'i' : '',
)

/** The environment for a program that facescan chooses, such as a browser. It contains only the variables that `needed` matches. */
export function childEnvironment(env: Environment): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => needed.test(name)))
}
