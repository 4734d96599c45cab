import type { ServerStatus } from '@tidings/client/contract';
import { expect, it } from 'vitest';
import { Readiness } from './readiness.ts';

type Shown = Pick<ServerStatus, 'state' | 'failures' | 'detail'>;
const connecting: Shown = { state: 'connecting', failures: 0, detail: '' };
const live: Shown = { state: 'live', failures: 0, detail: '' };
const failed: Shown = { state: 'connecting', failures: 1, detail: '' };

it('a node is ready once every server was connected or has failed, and stays so', () => {
  let servers = [connecting, live];
  const readiness = new Readiness(() => servers);
  expect(readiness.state).toBe('starting');
  servers = [failed, live];
  expect(readiness.state).toBe('ready');
  servers = [connecting, connecting];
  expect(readiness.isReady).toBe(true);
});

it('a node that stops is not ready, also if it never was', () => {
  const [ready, starting] = [new Readiness(() => []), new Readiness(() => [connecting])];
  for (const readiness of [ready, starting]) {
    readiness.stop();
    expect(readiness.state).toBe('stopping');
  }
});
