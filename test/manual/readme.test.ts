import { test } from 'vitest'
import { ownVariables } from '../../src/command/environment.ts'
import { listExitCodes } from '../../src/command/exit-codes.ts'
import { expectGeneratedSections, markdownTable } from '../helpers/generated.ts'

test('the tables of exit codes and environment variables in the README match the program', async () => {
  const codes = listExitCodes().map(({ exit_code, meaning }) => [`${exit_code}`, meaning])
  const variables = ownVariables.map(([name, meaning]) => [`\`${name}\``, meaning])
  await expectGeneratedSections('README.md', {
    'exit codes': markdownTable(['Code', 'Meaning'], codes),
    'environment variables': markdownTable(['Variable', 'Meaning'], variables),
  })
})
