import { PNG } from 'pngjs'

const width = 480
const height = 320
/** One byte per pixel (PNG specification, color type 0). */
const gray = 0

let image: Uint8Array | undefined

/** The regulatory label as a PNG: the CE mark on a framed card, drawn from circles and bars. */
export function ceLabelPng(): Uint8Array {
  image ??= drawLabel()
  return image
}

function drawLabel(): Uint8Array {
  const label = new PNG({ width, height })
  label.data = Buffer.from(
    Array.from({ length: width * height }, (_, index) =>
      shade((index % width) + 0.5, Math.floor(index / width) + 0.5),
    ),
  )
  return PNG.sync.write(label, { colorType: gray, inputColorType: gray, inputHasAlpha: false })
}

/** From 0 (black) to 255 (white). */
function shade(x: number, y: number): number {
  return Math.round(255 * (1 - Math.max(frame(x, y), letterC(x, y), letterE(x, y))))
}

/** The share of a pixel inside a shape. `distance` is the distance to its edge in pixels, negative inside. */
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
const centerY = height / 2
const centerOfC = 208
const centerOfE = centerOfC + 136

function leftHalfRing(x: number, y: number, centerX: number): number {
  const ring = Math.abs(Math.hypot(x - centerX, y - centerY) - radius) - stroke / 2
  return Math.max(ring, x - (centerX + 24))
}

function letterC(x: number, y: number): number {
  return coverage(leftHalfRing(x, y, centerOfC))
}

function letterE(x: number, y: number): number {
  const bar = Math.max(Math.abs(y - centerY) - stroke / 2, centerOfE - radius - x, x - (centerOfE + 12))
  return coverage(Math.min(leftHalfRing(x, y, centerOfE), bar))
}
