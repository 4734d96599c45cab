import { PassThrough } from 'node:stream';
import type { RpcMessage } from './raw-http.ts';

/** Both ends of a stdio connection in this process. */
export function overPipes() {
  const input = new PassThrough();
  const output = new PassThrough();
  const messages: RpcMessage[] = [];
  output.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString().split('\n').filter(Boolean)) messages.push(JSON.parse(line));
  });
  return {
    streams: { input, output },
    input,
    output,
    messages,
    send: (message: unknown) => void input.write(`${JSON.stringify(message)}\n`),
  };
}
