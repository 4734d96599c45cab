// Writing to stdout so that the whole of it arrives, and so that a reader may leave early (`| head`).

export function print(content: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(content, (error) => {
      if (error && !isHungUp(error)) reject(error);
      else resolve();
    });
  });
}

/** Calls back when whoever reads stdout has left. Without this, that would be an uncaught error. */
export function onReaderGone(callback: () => void): void {
  process.stdout.on('error', (error) => {
    if (!isHungUp(error)) throw error;
    callback();
  });
}

function isHungUp(error: Error): boolean {
  return 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED');
}
