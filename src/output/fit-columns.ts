export interface ColumnSize {
  /** Width of the widest text, including the heading if there is one. */
  natural: number
  /** Smallest useful width; equal to `natural` for text that must not be truncated. */
  minimum: number
  /** Columns with the lowest priority are omitted first. */
  priority: number
}

export interface FittedColumn {
  index: number
  width: number
}

const gapWidth = 2

function totalOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + gapWidth * Math.max(0, widths.length - 1)
}

/** The column to omit first: the rightmost of those with the lowest priority. The first column stays. */
function leastImportant(sizes: readonly ColumnSize[], shown: readonly number[]): number | undefined {
  const priorityOf = (index: number) => sizes[index]?.priority ?? 0
  return shown.slice(1).reduceRight<number | undefined>((least, index) => {
    return least === undefined || priorityOf(index) < priorityOf(least) ? index : least
  }, undefined)
}

/** Takes the excess from the widest columns first. */
function shrink(sizes: readonly ColumnSize[], shown: readonly number[], available: number): FittedColumn[] {
  const columns = shown.map((index) => ({ index, width: sizes[index]?.natural ?? 0 }))
  for (let excess = totalOf(columns.map(({ width }) => width)) - available; excess > 0; excess--) {
    const shrinkable = columns.filter(({ index, width }) => width > (sizes[index]?.minimum ?? 0))
    const widest = shrinkable.reduce<FittedColumn | undefined>(
      (most, column) => (most === undefined || column.width > most.width ? column : most),
      undefined,
    )
    if (widest === undefined) break
    widest.width -= 1
  }
  return columns
}

/** The columns that fit side by side, in their order, with their widths. At least the first column is shown. */
export function fitColumns(sizes: readonly ColumnSize[], available: number): FittedColumn[] {
  const shown = sizes.map((_, index) => index)
  const minimumOf = (index: number) => sizes[index]?.minimum ?? 0
  while (totalOf(shown.map(minimumOf)) > available) {
    const omitted = leastImportant(sizes, shown)
    if (omitted === undefined) break
    shown.splice(shown.indexOf(omitted), 1)
  }
  return shrink(sizes, shown, available)
}
