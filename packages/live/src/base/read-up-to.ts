// The beginning of a body: what sends it may send anything, of any length.

/** The whole body if it has at most `bytes`; otherwise more than that many of its first bytes. */
export async function readUpTo(body: AsyncIterable<Uint8Array> | null, bytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop cancels the rest.
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > bytes) break;
  }
  return Buffer.concat(chunks);
}
