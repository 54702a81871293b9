import type { Surface } from '../surface/surface.ts'
import { bashScript } from './bash.ts'
import { fishScript } from './fish.ts'
import { powershellScript } from './powershell.ts'
import { completionTable } from './table.ts'
import { zshScript } from './zsh.ts'

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof shells)[number]

const makers = { bash: bashScript, zsh: zshScript, fish: fishScript, powershell: powershellScript }

/** As the shells look for them in their own folders. */
export const fileNames: Readonly<Record<Shell, string>> = {
  bash: 'facescan.bash',
  zsh: '_facescan',
  fish: 'facescan.fish',
  powershell: 'facescan.ps1',
}

/** One line that makes completion last; no shell starts the program again for it. */
export const installLines: Readonly<Record<Shell, string>> = {
  bash: "facescan completion bash > ~/.facescan.bash && echo '. ~/.facescan.bash' >> ~/.bashrc",
  zsh: "facescan completion zsh > ~/.facescan.zsh && echo '. ~/.facescan.zsh' >> ~/.zshrc",
  fish: 'facescan completion fish > ~/.config/fish/completions/facescan.fish',
  powershell: 'facescan completion powershell >> $PROFILE',
}

export function completionScript(shell: Shell, surface: Surface): string {
  return makers[shell](completionTable(surface))
}
