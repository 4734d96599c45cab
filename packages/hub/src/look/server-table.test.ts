import type { ServerStatus } from '@tidings/client/contract';
import { expect, it } from 'vitest';
import { screenOf } from '../terminal/screen.ts';
import { serverTable } from './server-table.ts';

function server(id: string, detail: string, condition?: ServerStatus['condition']): ServerStatus {
  const flags = { enabled: true, tracked: true, pinned: false };
  const counts = { held: 0, resources: 1, wanted: 1, subscribed: 1, polled: 0, hashed: 1, failures: 0, connects: 1 };
  const since = '2026-01-01T00:00:00.000Z';
  return { id, state: 'live', detail, condition, since, era: 'modern', transport: 'memory', ...flags, ...counts };
}

const advice = `OBS cannot be reached. ${'Start it. '.repeat(10)}`.trim();
const servers = [server('vcon', ''), server('obs', advice, 'troubled')];

it('has the details in a column on a pipe', () => {
  expect(serverTable(servers, screenOf({}, {})).split('\n')).toEqual([
    'SERVER  STATE            RESOURCES  PROTOCOL    TRANSPORT  DETAIL',
    'vcon    live             1          2026-07-28  built in',
    `obs     needs attention  1          2026-07-28  built in   ${advice}`,
  ]);
});

it('has them below the table on a terminal, in full and without control characters', () => {
  const hostile = [server('x', `${advice}\u001B[2J`)];
  const screen = screenOf({ isTTY: true, columns: 60 }, { NO_COLOR: '1' });
  expect(serverTable(servers, screen).split('\n')).toEqual([
    'SERVER  STATE            RESOURCES  PROTOCOL    TRANSPORT',
    'vcon    live             1          2026-07-28  built in',
    'obs     needs attention  1          2026-07-28  built in',
    '',
    `obs: ${advice}`,
  ]);
  expect(serverTable(hostile, screen)).toContain('␛[2J');
});
