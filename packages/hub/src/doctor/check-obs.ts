// Connects to OBS as the built-in server does, and reports its status.
import type { Client } from '@modelcontextprotocol/client';
import { delay, foregroundClock } from '@tidings/live/time';
import { openObs } from '@tidings/obs';
import { z } from 'zod';
import { clientInMemory } from '../base/client-in-memory.ts';
import type { Finding } from './finding.ts';

const subject = 'obs';
const status = z.object({ connected: z.boolean(), state: z.string(), detail: z.string() });
const patienceMs = 3000;
const silent = { warn: () => undefined, error: () => undefined };

export async function checkObs(env: Readonly<Record<string, string | undefined>>): Promise<Finding[]> {
  const server = openObs({
    url: env['TIDINGS_OBS_URL'] || undefined,
    password: env['TIDINGS_OBS_PASSWORD'] || undefined,
    passwordFile: env['TIDINGS_OBS_PASSWORD_FILE'] || undefined,
    log: silent,
  });
  const client = await clientInMemory(server);
  try {
    const { state, connected, detail } = await settledStatus(client);
    if (connected) return [{ verdict: 'fine', subject, detail }];
    // Without a configured address, OBS may not be installed: that is not an error. A refused password is one.
    if (state !== 'refused') {
      const advice =
        'If you use OBS: start it, and enable the server under Tools, WebSocket Server Settings. Otherwise ignore this.';
      return [{ verdict: env['TIDINGS_OBS_URL'] ? 'wrong' : 'note', subject, detail, advice }];
    }
    return [{ verdict: 'wrong', subject, detail }];
  } finally {
    await client.close();
    await server.close();
  }
}

async function settledStatus(client: Client): Promise<z.infer<typeof status>> {
  const deadline = foregroundClock.now() + patienceMs;
  for (;;) {
    const { contents } = await client.readResource({ uri: 'obs://status' });
    const [first] = contents;
    const now = status.parse(JSON.parse(first !== undefined && 'text' in first ? first.text : '{}'));
    if (now.state !== 'connecting' || foregroundClock.now() > deadline) return now;
    await delay(foregroundClock, 50);
  }
}
