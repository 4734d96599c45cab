// Starts load-server.js and collects its warnings and errors.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

export interface LoadServer {
  url: string;
  stop(this: void): Promise<void>;
}

const messageSchema = z.union([z.object({ url: z.string() }), z.object({ complaint: z.string() })]);
const program = fileURLToPath(new URL('load-server.js', import.meta.url));

export async function startLoadServer(folder: string, onComplaint: (complaint: string) => void): Promise<LoadServer> {
  const child = fork(program, [folder]);
  const exited = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The server ended with ${code} before it listened.`)));
    child.on('message', (sent) => {
      const message = messageSchema.parse(sent);
      if ('url' in message) resolve(message.url);
      else onComplaint(message.complaint);
    });
  });
  return {
    url,
    stop: async () => {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}
