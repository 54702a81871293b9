/** The notes and warnings for programs as a person would see them. Other lines are unchanged. */
export function asText(stderr: string): string {
  return stderr.replace(/^\{"(note|warning)":.*\}$/gm, (line, kind: 'note' | 'warning') => {
    const { message } = JSON.parse(line)[kind]
    return kind === 'warning' ? `warning: ${message}` : message
  })
}
