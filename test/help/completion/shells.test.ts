import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { resolvePaths } from '../../../src/base/paths.ts'
import { completionFiles, installLines, type Shell } from '../../../src/framework/shells.ts'
import { completionScript } from '../../../src/help/completion/scripts.ts'
import { changeProfiles } from '../../../src/profiles/change-profiles.ts'
import { needs } from '../../helpers/needs.ts'
import { openPty, type Pty } from '../../helpers/pty.ts'

const home = mkdtempSync(join(tmpdir(), 'facescan-shell-'))
mkdirSync(join(home, 'work', 'folder'), { recursive: true })
mkdirSync(join(home, 'state', 'imports', '1764-import'), { recursive: true })
writeFileSync(join(home, 'work', 'answers.csv'), '')
await changeProfiles(resolvePaths({ FACESCAN_CONFIG_DIR: join(home, 'config') }), (file) => {
  file.default = 'ACME-DEV'
  file.profiles['ACME-DEV'] = { store: 'file', unlock: { until: 1, reason: 'x' } }
  file.profiles['ZEBRA'] = { store: 'keyring' }
})

const programs = {
  // The completion scripts for bash, zsh, and fish read the profiles with awk.
  bash: needs('bash', 'awk'),
  zsh: needs('zsh', 'awk'),
  fish: needs('fish', 'awk'),
  powershell: needs('pwsh'),
}
const pathOf = (shell: Shell): string => Object.values(programs[shell].path)[0] ?? ''

let open: Pty | undefined
afterEach(() => open?.close())

/** Types a line and a Tab into a new shell and returns the completed line. */
async function complete(shell: Shell, line: string, expected: RegExp): Promise<string> {
  const script = join(home, basename(completionFiles[shell]))
  writeFileSync(script, await completionScript(shell))
  open = openPty(pathOf(shell), argumentsOf(shell, script), {
    columns: 200,
    cwd: join(home, 'work'),
    env: {
      PATH: programs[shell].PATH,
      HOME: home,
      ZDOTDIR: home,
      FACESCAN_CONFIG_DIR: join(home, 'config'),
      FACESCAN_STATE_DIR: join(home, 'state'),
      PS1: '> ',
      fish_greeting: '',
    },
  })
  await open.waitFor(/[>$#%] ?$/)
  open.type(`${line}\t`)
  return open.waitFor(expected)
}

function argumentsOf(shell: Shell, script: string): string[] {
  if (shell === 'fish') {
    const prompt = `source ${script}; function fish_prompt; echo '> '; end`
    return ['--no-config', '--interactive', '--init-command', prompt]
  }
  if (shell === 'bash') {
    writeFileSync(
      join(home, 'bashrc'),
      `PS1='> '; bind 'set show-all-if-ambiguous on'; bind 'set bell-style none'; . ${script}\n`,
    )
    return ['--noprofile', '--rcfile', join(home, 'bashrc'), '-i']
  }
  writeFileSync(
    join(home, '.zshrc'),
    `PS1='> '; autoload -Uz compinit; compinit -u -d ${home}/dump; . ${script}\n`,
  )
  return ['-i']
}

const shells = ['bash', 'zsh', 'fish'] as const

describe.each(shells)('completion in %s', (shell) => {
  const { missing } = programs[shell]
  const cases: [string, string, RegExp][] = [
    ['the only command that starts with the typed text', 'facescan dash', /facescan dashboard-url/],
    ['the verbs of a noun', 'facescan users ', /create[\s\S]*delete|delete[\s\S]*create/],
    ['a flag of the command', 'facescan users create --birth', /--birth-date/],
    ['a global flag', 'facescan users create --prof', /--profile/],
    ['the choices of a flag', 'facescan users create --unit-system imp', /--unit-system imperial/],
    ['a choice after an equals sign', 'facescan users create --unit-system=imp', /--unit-system=imperial/],
    ['one more value of a list', 'facescan dashboard-url --disable main,rec', /main,recommendations/],
    [
      'the values of a flag with an optional value',
      'facescan biomarkers list --chart=resp',
      /--chart=respiratory/,
    ],
    [
      'one more value of a flag with an optional value',
      'facescan biomarkers list --chart=systolic,dia',
      /systolic,diastolic/,
    ],
    ['the fields of --json', 'facescan users get --json=cus', /--json=customer/],
    ['one more field of --json', 'facescan users get --json=customer,lang', /--json=customer,language/],
    ['an argument after a flag without a value', 'facescan summary --debug ener', /--debug energy_sleep/],
    ['the names of profiles', 'facescan status --profile AC', /--profile ACME-DEV/],
    [
      'a profile as an argument, after a flag with a value',
      'facescan profiles show --output json ZE',
      /json ZEBRA/,
    ],
    ['the built-in profile', 'facescan status -p SAN', /-p SANDBOX-DEV/],
    ['files', 'facescan status --key-file answ', /--key-file answers\.csv/],
    ['a topic of the help', 'facescan help exit', /help exit-codes/],
    ['the name of a command after help', 'facescan help users up', /help users update/],
    ['a time zone', 'facescan answers save 4711 weight=72 --timezone Europe/Lisb', /Europe\/Lisbon/],
    ['an import ID', 'facescan imports resume 1764', /resume 1764-import/],
    ['a lookup key after the user', 'facescan answers save 4711 weig', /4711 weight=$/m],
    ['a second lookup key', 'facescan answers save 4711 weight=72 heig', /height=$/m],
    ['a flag that can be repeated', 'facescan api GET /x -f a=b --raw', /-f a=b --raw-field/],
    ['the choices of an argument', 'facescan summary ener', /summary energy_sleep/],
  ]
  test.skipIf(missing).each(cases)('the Tab key completes %s', async (_, line, expected) => {
    await expect(complete(shell, line, expected)).resolves.toMatch(expected)
  })

  test.skipIf(missing)('Tab after two dashes completes only the flags of the command', async () => {
    const listed = await complete(
      shell,
      'facescan answers save --',
      /--timezone[\s\S]*--user-id|--user-id[\s\S]*--timezone/,
    )
    expect(listed).not.toMatch(/--debug|--profile|--no-input/)
  })

  test.skipIf(missing)('Tab does not complete a flag that the line already contains', async () => {
    const line = 'facescan users create --sex F --'
    const listed = await complete(shell, line, /--birth-date[\s\S]*--unit-system/)
    expect(listed.replaceAll('create --sex F', '')).not.toContain('--sex')
  })

  test.skipIf(missing)('Tab does not complete a lookup key that already has an answer', async () => {
    const listed = await complete(shell, 'facescan answers save 4711 weight=72 ', /smoking=/)
    expect(listed.replaceAll('weight=72', '')).not.toContain('weight=')
  })

  test.skipIf(missing)('after a user argument, Tab does not complete flags that select a user', async () => {
    const listed = await complete(shell, 'facescan scan-url 4711 --', /(?=[\s\S]*--language)[\s\S]*--wait/)
    expect(listed).not.toMatch(/--user-id|--external-user-id|--users/)
    open?.close()
    expect(await complete(shell, 'facescan overview 4711 --', /--profile/)).toContain('--json')
  })

  test.skipIf(missing)(
    'Tab completes the flags for a list only after --users, or after their first letters',
    async () => {
      const listed = await complete(shell, 'facescan metrics --', /--external-user-id[\s\S]*--users/)
      expect(listed).not.toMatch(/--keep|--sheet|--max-concurrency/)
      open?.close()
      const forList = await complete(
        shell,
        'facescan metrics --users answers.csv --',
        /(?=[\s\S]*--keep)[\s\S]*--map/,
      )
      expect(forList).not.toContain('--external-user-id')
      open?.close()
      await complete(shell, 'facescan metrics --she', /--sheet/)
    },
  )

  test.skipIf(missing)('if values have no summary, Tab lists them without dashes', async () => {
    const listed = await complete(shell, 'facescan summary 4711 \t', /physical/)
    expect(listed.replace(/^.*4711/, '')).not.toMatch(/--/)
  })

  test.skipIf(missing)(
    'the installation command in the help of "completion" works in a new home directory',
    async () => {
      const own = mkdtempSync(join(tmpdir(), 'facescan-install-'))
      mkdirSync(join(own, '.config/fish/completions'), { recursive: true })
      mkdirSync(join(own, 'bin'))
      writeFileSync(
        join(own, 'bin/facescan'),
        `#!/bin/sh\nexec "${process.execPath}" "${process.cwd()}/bin/facescan.js" "$@"\n`,
        { mode: 0o755 },
      )
      const env = {
        HOME: own,
        PATH: `${join(own, 'bin')}:${programs[shell].PATH}`,
        FACESCAN_CONFIG_DIR: join(home, 'config'),
      }
      const installed = spawnSync(pathOf(shell), ['-c', installLines[shell]], {
        env: { ...process.env, ...env },
        encoding: 'utf8',
      })
      expect(installed.stderr).toBe('')
      open = openPty(pathOf(shell), ['-i'], { columns: 200, env: { ...env, fish_greeting: '' } })
      await open.waitFor(/[>$#%] ?$/)
      open.type('facescan users crea\t')
      await open.waitFor(/facescan users create/)
    },
  )
})

test.skipIf(programs.powershell.missing)(
  'PowerShell completes commands, flags, choices and profiles',
  async () => {
    const script = join(home, basename(completionFiles.powershell))
    writeFileSync(script, await completionScript('powershell'))
    const lines = [
      'facescan dash',
      'facescan users create --birth',
      'facescan users create --unit-system imp',
      'facescan status --profile AC',
    ]
    const ask = lines
      .map((line) => `(TabExpansion2 '${line}' ${line.length}).CompletionMatches.CompletionText`)
      .join('; ')
    const { stdout } = spawnSync(pathOf('powershell'), ['-NoProfile', '-Command', `. ${script}; ${ask}`], {
      encoding: 'utf8',
      env: { ...process.env, FACESCAN_CONFIG_DIR: join(home, 'config') },
    })
    expect(stdout.trim().split(/\r?\n/)).toEqual(['dashboard-url', '--birth-date', 'imperial', 'ACME-DEV'])
  },
)
