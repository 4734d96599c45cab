// An OBS for one run, on a virtual screen, with its own home folder and port.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OBSWebSocket } from 'obs-websocket-js/json';

export const password = 'bench';

export async function startObs() {
  const port = await freePort();
  const url = `ws://127.0.0.1:${port}`;
  const home = mkdtempSync(join(tmpdir(), 'tidings-bench-obs-'));
  const settings = join(home, '.config', 'obs-studio');
  mkdirSync(settings, { recursive: true });
  const general = '[General]\nFirstRun=true\nEnableAutoUpdates=false\n';
  const server = `[OBSWebSocket]\nFirstLoad=false\nServerEnabled=true\nServerPort=${port}\nAuthRequired=true\n`;
  writeFileSync(join(settings, 'global.ini'), `${general}${server}ServerPassword=${password}\n`);

  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x720x24'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [number] = await once(screen.stdio[3], 'data');
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: join(home, '.config'), DISPLAY: `:${`${number}`.trim()}` };
  const obs = spawn('obs', ['--minimize-to-tray', '--multi', '--disable-updater'], { env, stdio: 'ignore' });
  await answers(url);

  return {
    url,
    stop: async () => {
      for (const child of [obs, screen]) {
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }
      rmSync(home, { recursive: true, force: true });
    },
  };
}

export async function connectTo(url) {
  const client = new OBSWebSocket();
  await client.connect(url, password);
  return client;
}

async function answers(url) {
  for (let tries = 0; tries < 120; tries += 1) {
    const client = await connectTo(url).catch(() => undefined);
    if (client) return client.disconnect();
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error('OBS does not start.');
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}
