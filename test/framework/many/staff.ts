import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll } from 'vitest'
import { createMachine } from '../../helpers/facescan.ts'

/** A list of users: two users in the sandbox, and an unknown user. */
export const staff =
  'external_user_id,email,language\nu2,b@example.com,\nnope,c@example.com,de\nu1,a@example.com,fr\n'

/** A machine whose sandbox contains the users u1, u2, and u3, each with three scans. */
export function useStaff() {
  const { facescan, home } = createMachine()

  beforeAll(async () => {
    for (const id of ['u1', 'u2', 'u3']) {
      await facescan(`users create ${id} --sex F --language nl`)
      await facescan(`sandbox scan ${id} --count 3 --days 5 --seed 7`)
    }
  })

  /** Writes a list of users to a file, and returns the path of the file. */
  function listOf(content: string, name = 'staff.csv'): string {
    const path = join(home, name)
    writeFileSync(path, content)
    return path
  }

  return { facescan, home, listOf }
}
