/** Whether an environment variable enables a feature: any value except empty, `0`, and `false`. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false'].includes(value.toLowerCase())
}
