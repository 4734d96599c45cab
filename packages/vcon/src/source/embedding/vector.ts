// Embedding vectors.

export type Vector = Float32Array;

/** 32-bit floats one after the other, the small end first, as sqlite-vec reads them. */
export function vectorBytes(vector: Vector): Uint8Array {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, number] of vector.entries()) bytes.writeFloatLE(number, index * 4);
  return bytes;
}
