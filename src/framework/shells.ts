export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof shells)[number]

/** Lines that install completion in the shell configuration. Completion does not start facescan. */
export const installLines: Readonly<Record<Shell, string>> = {
  bash: "facescan completion bash > ~/.facescan.bash && echo '. ~/.facescan.bash' >> ~/.bashrc",
  zsh: "facescan completion zsh > ~/.facescan.zsh && echo '. ~/.facescan.zsh' >> ~/.zshrc",
  fish: 'mkdir -p ~/.config/fish/completions && facescan completion fish > ~/.config/fish/completions/facescan.fish',
  powershell: 'facescan completion powershell >> $PROFILE',
}

/** Paths in this package. The shells require these file names. */
export const completionFiles: Readonly<Record<Shell, string>> = {
  bash: 'completions/facescan.bash',
  zsh: 'completions/_facescan',
  fish: 'completions/facescan.fish',
  powershell: 'completions/facescan.ps1',
}
