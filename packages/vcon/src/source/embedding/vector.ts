// Embedding vectors.

export type Vector = Float32Array;

/** As consecutive little-endian 32-bit floats, the format of sqlite-vec. */
export function vectorBytes(vector: Vector): Uint8Array {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, number] of vector.entries()) bytes.writeFloatLE(number, index * 4);
  return bytes;
}
