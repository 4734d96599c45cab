// `tidings serve obs` in its own process, with a client that counts updates.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { password } from './own-obs.js';

const program = fileURLToPath(new URL('../../packages/hub/bin/tidings.js', import.meta.url));
const ticksPerSecond = 100;

export async function serve(url) {
  const env = { ...process.env, TIDINGS_OBS_URL: url, TIDINGS_OBS_PASSWORD: password };
  const started = performance.now();
  const child = spawn(process.execPath, [program, 'serve', 'obs', '--port', '0', '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface(child.stdout), 'line');
  const client = new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  const listeners = new Set();
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    for (const listener of listeners) listener(params.uri);
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(JSON.parse(line).url)));
  const read = async (uri) => JSON.parse((await client.readResource({ uri })).contents[0].text);
  while (!(await read('obs://status')).connected) await new Promise((resolve) => setTimeout(resolve, 5));

  return {
    readyMs: performance.now() - started,
    read,
    watch: (uri) => client.listen({ resourceSubscriptions: [uri] }),
    onUpdate: (listener) => listeners.add(listener),
    offUpdate: (listener) => listeners.delete(listener),
    /** User and system time so far, in seconds. */
    cpuSeconds: () => {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1].split(' ');
      return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
    },
    stop: async () => {
      await client.close();
      child.kill();
      await once(child, 'exit');
    },
  };
}
