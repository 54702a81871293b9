const dotsAcross = 2
const dotsDown = 4
const firstBraille = 0x2800

/** The bit of each dot in a braille character, row by row. */
const dotBits = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const

/** A grid of braille characters with 2 by 4 dots each, which is fine enough for smooth lines. */
export class Canvas {
  readonly #cells: number[][]

  constructor(columns: number, rows: number) {
    this.#cells = Array.from({ length: rows }, () => Array.from({ length: columns }, () => 0))
  }

  /** Sets the dot at a position from the top left. Ignores positions outside the canvas. */
  dot(x: number, y: number): void {
    const row = this.#cells[Math.floor(y / dotsDown)]
    const column = Math.floor(x / dotsAcross)
    const bit = dotBits[y % dotsDown]?.[x % dotsAcross]
    if (row?.[column] !== undefined && bit !== undefined) row[column] |= bit
  }

  line(fromX: number, fromY: number, toX: number, toY: number): void {
    const steps = Math.max(Math.abs(toX - fromX), Math.abs(toY - fromY), 1)
    for (let step = 0; step <= steps; step++) {
      const share = step / steps
      this.dot(Math.round(fromX + (toX - fromX) * share), Math.round(fromY + (toY - fromY) * share))
    }
  }

  /** The character of a cell, or undefined if the cell is empty. */
  at(column: number, row: number): string | undefined {
    const bits = this.#cells[row]?.[column]
    return bits ? String.fromCodePoint(firstBraille + bits) : undefined
  }
}
