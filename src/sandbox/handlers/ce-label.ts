import { ceLabelPng } from '../ce-label.ts'
import type { Handlers } from '../handler.ts'

export const ceLabel: Handlers['ceLabel'] = () => ({ status: 200, body: ceLabelPng() })
