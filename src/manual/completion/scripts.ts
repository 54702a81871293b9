import type { Shell } from '../../command/shells.ts'
import type { Surface } from '../../command/surface.ts'
import { bashScript } from './bash.ts'
import { fishScript } from './fish.ts'
import { powershellScript } from './powershell.ts'
import { completionTable } from './table.ts'
import { zshScript } from './zsh.ts'

const makers = { bash: bashScript, zsh: zshScript, fish: fishScript, powershell: powershellScript }

export function completionScript(shell: Shell, surface: Surface): string {
  return makers[shell](completionTable(surface))
}
