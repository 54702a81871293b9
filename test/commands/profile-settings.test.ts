import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { idleClock } from '../helpers/clock.ts'
import { firstOfEach, usableExamples, wordsOf, writeInputFiles } from '../helpers/examples.ts'
import { createMachine, type Machine } from '../helpers/facescan.ts'
import { type Service, startService } from '../helpers/service.ts'

let service: Service
let machine: Machine

beforeAll(async () => {
  service = await startService()
})

afterAll(() => service.close())

beforeEach(async () => {
  machine = createMachine()
  await add()
  await machine.facescan('users create 4711 -p ACME-DEV --if-not-exists')
})

const add = (flags = '') =>
  machine.facescan(`profiles add ACME-DEV --key-stdin --base-url ${service.url} ${flags}`, {
    stdin: service.keys.development.key,
  })

const set = (flags: string) => machine.facescan(`profiles set ACME-DEV ${flags}`)
const show = async () => JSON.parse((await machine.facescan('profiles show ACME-DEV --json')).stdout)

const all = { timezone: 'Europe/Amsterdam', language: 'fr', rate: '5/s', output: 'json' }
const allFlags = '--timezone Europe/Amsterdam --language fr --rate 5/s --output json'

test('at 80 columns, "history list" shows the profile of each change', async () => {
  const name = 'ACME-HEALTH-WESTERN-EUROPE-DEV'
  machine = createMachine()
  await machine.facescan(`profiles add ${name} --key-stdin --base-url ${service.url}`, {
    stdin: service.keys.development.key,
  })
  await machine.facescan(`users update 4711 --sex F -p ${name}`)
  const options = { terminal: true, columns: 80, env: { NO_COLOR: '1' } }
  const { stdout } = await machine.facescan('history list', options)
  expect(stdout).toMatch(new RegExp(`users update +done +${name}\\n`))
  expect(stdout).toMatch(/Columns not shown: .*User ID/)
})

describe('the settings of a profile', () => {
  test('"profiles set" stores settings, "profiles add --replace" keeps them, and an empty value removes a setting', async () => {
    await set(allFlags)
    expect(await show()).toMatchObject(all)
    await add('--replace')
    expect(await show()).toMatchObject(all)
    await set('--timezone=')
    expect(await show()).toMatchObject({ ...all, timezone: null })
  })

  test('the first example of each command has the same exit code with and without settings in the profile', async () => {
    const examples = firstOfEach(await usableExamples()).filter(
      ({ command: { calls }, line }) => calls.length > 0 && !/ACME|-p |delete/.test(line),
    )
    const codesFor = async (user: string) => {
      writeInputFiles(machine.home, user)
      await machine.facescan(`users create ${user} -p ACME-DEV`)
      const place = (name: string) => join(machine.home, name)
      const codes: [string, number][] = []
      for (const { line, name } of examples) {
        const words = wordsOf(line, { input: place, output: place, externalUserId: user })
        codes.push([name, (await machine.facescan([...words, '-p', 'ACME-DEV', '--yes'])).exitCode])
      }
      return codes
    }
    const plain = await codesFor('plain')
    expect(plain.filter(([, code]) => code === 0).length).toBeGreaterThan(15)
    await set('--timezone Europe/Amsterdam --language fr --rate 50/s')
    expect(await codesFor('configured')).toEqual(plain)
  })

  test('"profiles set" logs each changed setting', async () => {
    await set(allFlags)
    const { stdout } = await machine.facescan('history list --json')
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({
        detail: 'time zone Europe/Amsterdam, language fr, rate 5/s, output json',
      }),
    )
  })

  test('"profiles set" stores the format that --output sets, and refuses the short flag -o', async () => {
    const refused = await set('--timezone UTC -o json')
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toContain('-o cannot be used with profiles set')
    expect(JSON.parse((await set('--output csv --json')).stdout)).toMatchObject({ output: 'csv' })
    expect(await show()).toMatchObject({ timezone: null, output: 'csv' })
  })

  test.each(['--timezone Mars/Base', '--language xx', '--rate fast', '--output xml'])(
    '"profiles set" refuses an invalid value: %s',
    async (flags) => {
      expect(await machine.facescan(`profiles set ACME-DEV ${flags}`)).toMatchObject({ exitCode: 2 })
    },
  )
})

describe('a setting of the selected profile', () => {
  const save = 'answers save 4711 weight=72 -p ACME-DEV'

  test('a profile setting can be used instead of a required flag, and the flag overrides the setting', async () => {
    expect(await machine.facescan(save)).toMatchObject({ exitCode: 2 })
    await set('--timezone Europe/Amsterdam')
    const zoneIn = async (line: string) => (await machine.facescan(`${line} --dry-run`)).stdout
    expect(await zoneIn(save)).toContain('Europe/Amsterdam')
    expect(await zoneIn(`${save} --timezone UTC`)).not.toContain('Europe/Amsterdam')
    await machine.facescan('profiles use ACME-DEV')
    expect(await zoneIn('answers save 4711 weight=72')).toContain('Europe/Amsterdam')
    expect(await machine.facescan('answers save 4711 weight=72 -p SANDBOX-DEV')).toMatchObject({
      exitCode: 2,
    })
  })

  test('the language in a profile is used for links, but does not change the language of a user', async () => {
    await set('--language fr')
    const link = await machine.facescan('scan-url 4711 -p ACME-DEV --dry-run')
    expect(link.stdout).toContain('language=fr')
    const update = await machine.facescan('users update 4711 --sex F -p ACME-DEV --dry-run')
    expect(update.exitCode).toBe(0)
    expect(update.stdout).not.toContain('fr')
  })

  test('the output format in a profile is overridden by FACESCAN_OUTPUT and by the flag', async () => {
    const formatOf = async (flags = '', env = {}) => {
      const { stdout } = await machine.facescan(`users get 4711 -p ACME-DEV ${flags}`, { env })
      return stdout.startsWith('{') ? 'json' : stdout.startsWith('user_id,') ? 'csv' : 'other'
    }
    await set('--output json')
    expect(await formatOf()).toBe('json')
    expect(await formatOf('', { FACESCAN_OUTPUT: 'csv' })).toBe('csv')
    expect(await formatOf('-o csv')).toBe('csv')
    const failed = await machine.facescan('users get nobody -p ACME-DEV')
    expect(JSON.parse(failed.stderr)).toMatchObject({ error: { code: 'not_found' } })
  })

  test('the rate in the profile limits the requests for a list of users', async () => {
    const path = join(machine.home, 'l.csv')
    writeFileSync(
      path,
      ['external_user_id', ...Array.from({ length: 9 }, (_, n) => `nobody-${n}`), ''].join('\n'),
    )
    const longestWait = async () => {
      const clock = idleClock()
      await machine.facescan(`users get --users ${path} -p ACME-DEV`, { clock })
      return Math.max(0, ...clock.sleeps)
    }
    expect(await longestWait()).toBeLessThan(900)
    await set('--rate 1/s')
    expect(await longestWait()).toBeGreaterThan(900)
  })
})
