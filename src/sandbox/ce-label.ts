import { PNG } from 'pngjs'

const width = 480
const height = 320
/** One byte a pixel (PNG specification, colour type 0). */
const grey = 0

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
  return PNG.sync.write(label, { colorType: grey, inputColorType: grey, inputHasAlpha: false })
}

/** From 0, black, to 255, white. */
function shade(x: number, y: number): number {
  return Math.round(255 * (1 - Math.max(frame(x, y), letterC(x, y), letterE(x, y))))
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
