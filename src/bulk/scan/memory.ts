/** The same bytes as a buffer and as a view that reads several bytes at once. */
export interface Memory {
  bytes: Buffer
  view: DataView
}

export function allocate(size: number): Memory {
  const memory = new ArrayBuffer(size)
  return { bytes: Buffer.from(memory), view: new DataView(memory) }
}
