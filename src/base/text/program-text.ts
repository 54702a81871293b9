/** The last line of standard error, without anything that looks like a key or that the program also printed to stdout. */
export function redactProgramText(stderr: string, stdout: string): string {
  const printed = stdout.trim()
  const line = (printed ? stderr.replaceAll(printed, '***') : stderr).trim().split('\n').at(-1) ?? ''
  return line
    .replace(/[\x00-\x1f\x7f-\x9f]/g, ' ')
    .replace(/[\w!.@+/=-]{20,}/g, '***')
    .slice(0, 200)
    .replace(/\.$/, '')
}
