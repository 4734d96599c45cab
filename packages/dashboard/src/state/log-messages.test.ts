import { beforeAll, expect, it, vi } from 'vitest';
import { LogMessages } from './log-messages.ts';

beforeAll(() => {
  vi.stubGlobal('requestAnimationFrame', () => 0);
});

it('requests no messages until a level is chosen', () => {
  const messages = new LogMessages();
  expect(messages.forCall('notes')).toBeUndefined();
  messages.choose('debug');
  expect(messages.forCall('notes')?.level).toBe('debug');
});

it('keeps the last 200 messages of each server', () => {
  const messages = new LogMessages();
  messages.choose('debug');
  const log = messages.forCall('notes');
  for (let data = 0; data < 201; data += 1) log?.onMessage({ level: 'info', logger: undefined, data });
  expect(messages.of('notes')).toHaveLength(200);
  expect(messages.of('notes').at(0)).toEqual({ level: 'info', logger: undefined, data: 1, at: expect.any(Number) });
  expect(messages.of('other')).toEqual([]);
  messages.clear('notes');
  expect(messages.of('notes')).toEqual([]);
});
