import { readPackageFile } from '../../base/process.ts'
import { quote } from '../../base/text.ts'
import { installLines, type Shell } from '../../framework/shells.ts'
import { completionRows } from './rows.ts'

/**
 * The completion scripts of this version, as committed in `completions`. Works only in a checkout, because the templates are not in the
 * package.
 */
export async function completionScript(shell: Shell): Promise<string> {
  const rows = (await completionRows()).join('\n')
  const read = (name: string) => readPackageFile(`src/help/completion/${name}`)
  const values: Readonly<Record<string, string>> = {
    install: installLines[shell],
    rows: shell === 'powershell' ? rows : quote(rows),
    awk: quote(read('complete.awk')),
  }
  return read(`template.${shell}`).replace(/\{\{(\w+)\}\}/g, (_, name) => values[name] ?? '')
}
