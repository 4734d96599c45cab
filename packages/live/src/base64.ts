// Bytes as base64. Node's Buffer is many times faster than what every runtime has, so it is used where there is one.
const hasBuffer = typeof Buffer === 'function';
/** As many arguments as any engine takes. */
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
