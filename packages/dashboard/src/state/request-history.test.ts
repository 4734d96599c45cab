import { beforeAll, expect, it, vi } from 'vitest';
import { RequestHistory } from './request-history.ts';

beforeAll(() => {
  vi.stubGlobal('requestAnimationFrame', () => 0);
});

const exchange = (name: string, more = {}) => ({
  serverId: 'notes',
  method: 'tools/call',
  name,
  at: 0,
  ms: 1,
  request: '{}',
  messages: ['{}'],
  problem: '',
  ...more,
});

it('keeps the last requests of each server', () => {
  const history = new RequestHistory();
  for (let number = 1; number <= 60; number += 1) history.add(exchange(`tool ${number}`));
  history.add(exchange('other', { serverId: 'vcon' }));
  expect(history.of('notes')).toHaveLength(50);
  expect(history.of('notes').at(-1)).toMatchObject({ name: 'tool 60', number: 60 });
  expect(history.of('vcon')).toMatchObject([{ name: 'other', number: 61 }]);
  history.clear('notes');
  expect(history.of('notes')).toEqual([]);
  expect(history.of('vcon')).toHaveLength(1);
});

it('shortens long output, and keeps its result rather than the text before it', () => {
  const history = new RequestHistory();
  const progress = Array.from({ length: 1000 }, () => `{"progress":"${'x'.repeat(1000)}"}`);
  history.add(exchange('much', { request: 'x'.repeat(1_000_000), messages: [...progress, '{"result":"last"}'] }));
  const [kept] = history.of('notes');
  expect(kept?.request).toHaveLength(200_001);
  expect(kept?.messages.at(-1)).toBe('{"result":"last"}');
  expect(kept?.messages.join('').length).toBeLessThan(210_000);
});
