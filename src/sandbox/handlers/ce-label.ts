import type { Handlers } from '../handler.ts'

export const ceLabel: Handlers['ceLabel'] = async () => {
  const { ceLabelPng } = await import('../ce-label.ts')
  return { status: 200, body: ceLabelPng() }
}
