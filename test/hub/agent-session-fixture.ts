// One agent's session on a fake clock, with a port that records messages.
import type { ReadResourceResult } from '@modelcontextprotocol/client';
import { FakeClock } from '@tidings/live/testing';
import { expect } from 'vitest';
import type { AgentEvents, AgentPort } from '../../packages/hub/src/agent/port/agent-port.ts';
import { AgentSession, type AgentSessionOptions } from '../../packages/hub/src/agent/agent-session.ts';
import { Journal } from '../../packages/track/src/journal/journal.ts';

export const never = new Promise<never>(() => undefined);
const silentLog = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Lets everything run that waits for nothing outside this process. */
export const settle = () => new Promise((resolve) => setImmediate(resolve));

interface Setting extends Partial<AgentSessionOptions> {
  port?: Partial<AgentPort>;
  entries?: number;
  contents?: Record<string, ReadResourceResult['contents'][number]>;
}

export async function agentSession({ port = {}, entries = 1000, contents = {}, ...options }: Setting = {}) {
  const clock = new FakeClock();
  const journal = new Journal({
    clock,
    life: 'life',
    limits: { entries, bytes: 1e9 },
    earlier: [],
    log: silentLog,
  });
  const said: string[] = [];
  const delivered: [string, number][] = [];
  let events: AgentEvents | undefined;
  const under = new AgentSession(
    { id: 'under-test', ...options },
    {
      kind: 'own',
      open: async (given) => void (events = given),
      send: async ({ text }) => void said.push(text),
      close: async () => undefined,
      ...port,
    },
    {
      journal,
      clock,
      random: () => 0,
      delivered: (id, seconds) => void delivered.push([id, seconds]),
      log: silentLog,
      read: async (_, uri) => (uri === 'stuck' ? never : { contents: [contents[uri] ?? { uri, text: 'nothing' }] }),
    },
  );
  const pass = async (ms = 0) => {
    clock.advance(ms);
    await settle();
  };
  const change = async (...uris: string[]) => {
    for (const resourceUri of uris) journal.append({ type: 'resource_update', serverId: 's', resourceUri });
    await pass();
  };
  await settle();
  return { under, journal, said, delivered, change, pass, events: () => events ?? expect.fail('It was not opened.') };
}
