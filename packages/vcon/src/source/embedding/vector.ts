// What a text means, as numbers.

export type Vector = Float32Array;

/** 32-bit floats one after the other, the small end first, as sqlite-vec reads them. */
export function bytesOf(vector: Vector): Uint8Array {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, number] of vector.entries()) bytes.writeFloatLE(number, index * 4);
  return bytes;
}

/** From -1 to 1. */
export function similarity(a: Vector, b: Vector | undefined): number {
  if (b === undefined || a.length !== b.length) return 0;
  let [product, ofA, ofB] = [0, 0, 0];
  for (const [index, number] of a.entries()) {
    const other = b[index] ?? 0;
    product += number * other;
    ofA += number * number;
    ofB += other * other;
  }
  return product / Math.sqrt(ofA * ofB);
}
