import type { Shell } from '../../src/command/shells.ts'

/** File names that the shells expect in their completion folders. */
export const fileNames: Readonly<Record<Shell, string>> = {
  bash: 'facescan.bash',
  zsh: '_facescan',
  fish: 'facescan.fish',
  powershell: 'facescan.ps1',
}
