/** Converts JSON notes and warnings to the text for people. Other lines stay unchanged. */
export function asText(stderr: string): string {
  return stderr.replace(/^\{"(note|warning)":.*\}$/gm, (line, kind: 'note' | 'warning') => {
    const { message } = JSON.parse(line)[kind]
    return kind === 'warning' ? `warning: ${message}` : message
  })
}
