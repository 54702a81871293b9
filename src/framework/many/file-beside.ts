import { existsSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { stemOf } from '../../bulk/results/result-folder.ts'
import type { Context } from '../context.ts'
import { wasCompleted } from './file-destination.ts'
import type { CheckedList } from './open-users.ts'

/** The file of a change, beside the list and named after it: `staff.users.csv`, or `staff.users-2.csv` if that file exists. */
export function fileBeside(
  ctx: Context,
  {
    fileName,
    list,
    users,
    key,
  }: { fileName: string | undefined; list: CheckedList; users: string; key: string },
): string | undefined {
  if (fileName === undefined) return undefined
  const { path: source, name: inputName } = list.table.input
  const stem = source === undefined ? '' : stemOf(inputName)
  const folder = source === undefined ? '.' : dirname(users)
  const ending = extname(fileName)
  for (let number = 1; ; number++) {
    const name = `${stem && `${stem}.`}${basename(fileName, ending)}${number === 1 ? '' : `-${number}`}${ending}`
    const path = join(folder, name)
    if (!existsSync(path) || wasCompleted(ctx, path, key)) return path
  }
}
