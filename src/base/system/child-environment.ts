import type { Environment } from '../io.ts'

const secrets = ['FACESCAN_API_KEY', 'FACESCAN_API_KEY_FILE', 'FACESCAN_ACTION_TOKEN']

/** The environment for a program that the person configured, such as a key command: everything except the secrets. */
export function commandEnvironment(env: Environment): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !secrets.includes(name)))
}

/** Variables that a browser, a clipboard, or a keyring needs: programs, home, locale, display, and session bus. */
const needed = new RegExp(
  `^(${[
    'PATH|HOME|USER|LOGNAME|SHELL|TMPDIR|TZ|LANG|LANGUAGE|LC_\\w+',
    'DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_\\w+|DESKTOP_SESSION|GNOME_\\w+|KDE_\\w+|BROWSER',
    'DBUS_SESSION_BUS_ADDRESS|WSL_DISTRO_NAME|WSL_INTEROP|WSLENV',
    'SystemRoot|windir|USERPROFILE|APPDATA|LOCALAPPDATA|ProgramFiles.*|PATHEXT|ComSpec|TEMP|TMP',
  ].join('|')})$`,
  process.platform === 'win32' ? 'i' : '',
)

/** The environment for any other program. It contains no variable that is not listed here. */
export function childEnvironment(env: Environment): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => needed.test(name)))
}
