import { encodePng } from './png.ts'

const width = 480
const height = 320

let image: Uint8Array | undefined

/** The regulatory label as a PNG: the CE mark on a framed card, drawn from circles and bars. */
export function ceLabelPng(): Uint8Array {
  image ??= encodePng(
    width,
    height,
    (x, y) => 255 * (1 - Math.max(frame(x, y), letterC(x, y), letterE(x, y))),
  )
  return image
}

/** How much of a pixel is inside a shape whose edge is `distance` pixels away, negative inside. */
function coverage(distance: number): number {
  return Math.min(Math.max(0.5 - distance, 0), 1)
}

function frame(x: number, y: number): number {
  const distance = Math.max(
    Math.abs(x - width / 2) - (width / 2 - 12),
    Math.abs(y - height / 2) - (height / 2 - 12),
  )
  return coverage(Math.abs(distance) - 2)
}

const radius = 84
const stroke = 26
const centreY = height / 2
const centreOfC = 208
const centreOfE = centreOfC + 136

function leftHalfRing(x: number, y: number, centreX: number): number {
  const ring = Math.abs(Math.hypot(x - centreX, y - centreY) - radius) - stroke / 2
  return Math.max(ring, x - (centreX + 24))
}

function letterC(x: number, y: number): number {
  return coverage(leftHalfRing(x, y, centreOfC))
}

function letterE(x: number, y: number): number {
  const bar = Math.max(Math.abs(y - centreY) - stroke / 2, centreOfE - radius - x, x - (centreOfE + 12))
  return coverage(Math.min(leftHalfRing(x, y, centreOfE), bar))
}
