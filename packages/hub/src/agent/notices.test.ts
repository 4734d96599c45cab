import { describe, expect, it } from 'vitest';
import type { AgentMessage } from './port/agent-port.ts';
import { type Notice, Notices } from './notices.ts';

const messages = (count: number): AgentMessage[] =>
  Array.from({ length: count }, (_, index) => ({ kind: 'notice', text: `message ${index}` }));

/** Sends all messages of the next notice; the first one has this number. */
function send(notices: Notices, first: number, confirms: boolean): Notice {
  const { next } = notices;
  if (next === undefined) throw new Error('There is no notice.');
  for (const index of next.messages.keys()) notices.sending(next, first + index);
  notices.wasSent(next, confirms);
  return next;
}

const stateOf = async (promise: Promise<void>) =>
  Promise.race([promise.then(() => 'arrived', String), new Promise((resolve) => setImmediate(resolve, 'waiting'))]);

describe('Notices', () => {
  it('come in the order in which they were added', () => {
    const notices = new Notices();
    const added = [notices.add(messages(1), 10), notices.add(messages(2), 20)];
    expect(notices.next?.since).toBe(10);
    send(notices, 1, true);
    expect(notices.next?.since).toBe(20);
    send(notices, 2, true);
    expect(notices.next).toBeUndefined();
    expect(added).toHaveLength(2);
  });

  it('count as arrived once sent if the port does not confirm messages', async () => {
    const notices = new Notices();
    const added = notices.add(messages(1), 0);
    expect(await stateOf(added)).toBe('waiting');
    send(notices, 1, false);
    expect(await stateOf(added)).toBe('arrived');
  });

  it('count as arrived with the confirmation of their last message if the port confirms messages', async () => {
    const notices = new Notices();
    const added = notices.add(messages(2), 0);
    send(notices, 5, true);
    notices.arrived(5);
    expect(await stateOf(added)).toBe('waiting');
    notices.arrived(6);
    expect(await stateOf(added)).toBe('arrived');
  });

  it('reject with the reason if one of their messages is refused', async () => {
    const notices = new Notices();
    const [first, second] = [notices.add(messages(2), 0), notices.add(messages(1), 0)];
    send(notices, 1, true);
    send(notices, 3, true);
    expect(notices.refused(4, 'too long')).toBe(false);
    expect(notices.refused(2, 'too long')).toBe(true);
    await expect(first).rejects.toMatchObject({ code: 'INVALID_PARAMS', message: expect.stringContaining('too long') });
    expect(await stateOf(second)).toBe('waiting');
  });

  it('reject as unavailable when the session is lost', async () => {
    const notices = new Notices();
    const added = notices.add(messages(1), 0);
    notices.lost('closed');
    await expect(added).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(notices.next).toBeUndefined();
  });

  it('are limited to a hundred at a time', async () => {
    const notices = new Notices();
    const added = Array.from({ length: 100 }, () => notices.add(messages(1), 0));
    await expect(notices.add(messages(1), 0)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    send(notices, 1, false);
    expect(await stateOf(notices.add(messages(1), 0))).toBe('waiting');
    expect(added).toHaveLength(100);
  });
});
