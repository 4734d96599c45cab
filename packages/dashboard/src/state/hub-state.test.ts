import { eventLoopTurn } from '@tidings/live/time';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { HubState } from './hub-state.ts';

beforeEach(() => {
  vi.stubGlobal('requestAnimationFrame', () => 0);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it('reads the servers again if that is requested while they are being read', async () => {
  const answers: ((response: Response) => void)[] = [];
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => void answers.push(resolve)));
  const hub = new HubState();
  const answer = async (configFile: string) => {
    answers.shift()?.(Response.json({ servers: [], configFile }));
    await eventLoopTurn();
    await eventLoopTurn();
  };
  const first = hub.refreshServers();
  await eventLoopTurn();
  // The response in flight may be older than the change for which the servers are read again.
  const later = [hub.refreshServers(), hub.refreshServers()];
  await answer('before');
  await first;
  expect([hub.configFile, answers.length]).toEqual(['before', 1]);
  await answer('after');
  await Promise.all(later);
  expect([hub.configFile, answers.length]).toEqual(['after', 0]);
});
