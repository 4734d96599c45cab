// Bytes as base64. Uses Node's Buffer where it exists, which is many times faster than `btoa`.
const hasBuffer = typeof Buffer === 'function';
/** Arguments per call of `String.fromCharCode`: every engine accepts this many. */
const pieceLength = 8192;

export function toBase64(bytes: Uint8Array): string {
  if (hasBuffer) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return toBase64Anywhere(bytes);
}

export function toBase64Anywhere(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += pieceLength) {
    binary += String.fromCharCode(...bytes.subarray(at, at + pieceLength));
  }
  return btoa(binary);
}
