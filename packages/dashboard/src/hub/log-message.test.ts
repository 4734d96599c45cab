import { describe, expect, it } from 'vitest';
import { logMessageIn } from './log-message.ts';

const notification = (params: object) => ({ jsonrpc: '2.0', method: 'notifications/message', params });

describe('a log message', () => {
  it('has its level, its logger and its data', () => {
    const message = notification({ level: 'warning', logger: 'db', data: { slow: true } });
    expect(logMessageIn(message)).toEqual({ level: 'warning', logger: 'db', data: { slow: true } });
  });

  it('needs no logger', () => {
    expect(logMessageIn(notification({ level: 'info', data: 'text' }))).toMatchObject({
      logger: undefined,
      data: 'text',
    });
  });

  it.each([
    notification({ level: 'loud', data: 'x' }),
    notification({ data: 'x' }),
    { method: 'notifications/progress', params: { level: 'info', data: 'x' } },
    { id: 1, result: {} },
    null,
  ])('is not %j', (message) => {
    expect(logMessageIn(message)).toBeUndefined();
  });
});
