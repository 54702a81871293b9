import { PNG } from 'pngjs'
import { FacescanError } from '../../base/errors.ts'

/** An opaque picture: red, green and blue of each pixel, row by row. */
export interface Pixels {
  width: number
  height: number
  rgb: Uint8Array
}

/** A reply decides about the size of a picture, so a small file must not claim all memory. */
const mostPixels = 16_000_000

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

function refuse(reason: string, cause?: unknown): FacescanError {
  return new FacescanError('server', `the image cannot be shown: ${reason}`, {
    hint: 'Save it with --out FILE to look at it elsewhere.',
    cause,
  })
}

function checkHeader(png: Buffer): void {
  if (png.length < 24 || signature.some((byte, index) => png[index] !== byte)) throw refuse('it is no PNG')
  if (png.readUInt32BE(16) * png.readUInt32BE(20) > mostPixels) throw refuse('it is too large')
}

/** Decodes a PNG over white. Throws a FacescanError for anything else. */
export function decodePng(bytes: Uint8Array): Pixels {
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  checkHeader(png)
  try {
    const { width, height, data } = PNG.sync.read(png)
    const rgb = new Uint8Array(width * height * 3)
    for (let pixel = 0; pixel < width * height; pixel++) {
      const opacity = (data[pixel * 4 + 3] ?? 255) / 255
      for (let channel = 0; channel < 3; channel++) {
        rgb[pixel * 3 + channel] = Math.round(255 + ((data[pixel * 4 + channel] ?? 255) - 255) * opacity)
      }
    }
    return { width, height, rgb }
  } catch (error) {
    throw refuse('its file is damaged', error)
  }
}

/** Mean of the pixels that a smaller pixel covers. */
function averageOf(
  { width, rgb }: Pixels,
  box: { left: number; top: number; right: number; bottom: number },
) {
  const sums = [0, 0, 0]
  for (let y = box.top; y < box.bottom; y++) {
    for (let x = box.left; x < box.right; x++) {
      const at = (y * width + x) * 3
      sums.forEach((sum, channel) => {
        sums[channel] = sum + (rgb[at + channel] ?? 0)
      })
    }
  }
  const count = (box.right - box.left) * (box.bottom - box.top)
  return sums.map((sum) => Math.round(sum / count))
}

export function resize(picture: Pixels, width: number, height: number): Pixels {
  const rgb = new Uint8Array(width * height * 3)
  const edge = (index: number, count: number, size: number) => Math.floor((index * size) / count)
  for (let y = 0; y < height; y++) {
    const top = edge(y, height, picture.height)
    const bottom = Math.max(top + 1, edge(y + 1, height, picture.height))
    for (let x = 0; x < width; x++) {
      const left = edge(x, width, picture.width)
      const right = Math.max(left + 1, edge(x + 1, width, picture.width))
      rgb.set(averageOf(picture, { left, top, right, bottom }), (y * width + x) * 3)
    }
  }
  return { width, height, rgb }
}
