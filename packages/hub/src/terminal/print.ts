// Writes to stdout completely, and tolerates a reader that closes the pipe early (`| head`).
import { systemCode } from '@tidings/live/portable';

export function print(content: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(content, (error) => {
      if (error && !isReaderGone(error)) reject(error);
      else resolve();
    });
  });
}

/** Calls back when the reader of stdout has closed the pipe. */
export function onReaderGone(callback: () => void): void {
  process.stdout.on('error', (error) => {
    if (isReaderGone(error)) callback();
  });
}

/** Without this, a closed pipe or a full disk would be an uncaught error with a stack. */
export function endOnOutputError(): void {
  process.stdout.on('error', (error) => {
    if (isReaderGone(error)) return;
    process.stderr.write(`error: stdout cannot be written: ${error.message}\n`);
    process.exit(1);
  });
}

/** Whether an error of writing means that the reader has closed the pipe. */
export function isReaderGone(error: Error): boolean {
  const code = systemCode(error);
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED';
}
