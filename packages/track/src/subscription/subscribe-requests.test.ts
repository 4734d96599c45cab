// Subscriptions of the 2025 era at a server that acknowledges, refuses and does not answer as the test says.
import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { FakeClock } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { SubscribeRequests } from './subscribe-requests.ts';

class Server {
  readonly clock = new FakeClock();
  readonly asked: string[] = [];
  /** Answers the pending requests. */
  readonly open = new Map<string, (error?: Error) => void>();
  readonly refused = new Set<string>();
  readonly silent = new Set<string>();
  changed = 0;
  readonly subscriptions: SubscribeRequests;

  constructor() {
    const ask =
      (verb: string) =>
      async ({ uri }: { uri: string }) => {
        this.asked.push(`${verb} ${uri}`);
        if (this.refused.has(uri)) throw new ProtocolError(-32602, 'refused');
        if (!this.silent.has(uri)) return {};
        return new Promise((resolve, reject) => {
          this.open.set(uri, (error) => (error ? reject(error) : resolve({})));
        });
      };
    const subscribe = (uri: string) => ask('+')({ uri });
    const client = { unsubscribeResource: ask('-') };
    const deps = { clock: this.clock, random: () => 1, answerMs: 10_000, changed: () => void (this.changed += 1) };
    // Only these members of a session are used.
    const session = Object.assign(Object.create(null), { client, subscribe, transport: 'http' });
    this.subscriptions = new SubscribeRequests(session, deps);
  }

  async apply(wanted: readonly string[], changed?: readonly string[]) {
    const applied = this.subscriptions.apply(new Set(wanted), changed);
    const state = { isDone: false };
    void applied.finally(() => (state.isDone = true));
    for (let n = 0; n < 100 && !state.isDone; n += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (n > 10) this.clock.advance(500);
    }
    return applied;
  }
}

describe('subscriptions of the 2025 era', () => {
  it('are active except for an unanswered one', async () => {
    const server = new Server();
    server.silent.add('a://1');
    const refusals = await server.apply(['a://0', 'a://1', 'a://2']);
    expect([...server.subscriptions.active]).toEqual(['a://0', 'a://2']);
    expect(refusals).toMatchObject([{ uri: 'a://1', isTransient: true, isPending: true }]);
    expect(server.subscriptions.awaits('a://1')).toBe(true);
    expect(server.subscriptions.missing).toEqual({ refused: 0, unanswered: 1 });
  });

  it('are not requested twice while they are unanswered, and active when they are answered', async () => {
    const server = new Server();
    server.silent.add('a://1');
    await server.apply(['a://1']);
    await server.apply(['a://1']);
    expect(server.asked).toEqual(['+ a://1']);
    server.open.get('a://1')?.();
    await new Promise((resolve) => setImmediate(resolve));
    expect(server.changed).toBe(1);
    expect([...server.subscriptions.active]).toEqual(['a://1']);
  });

  it('that have failed are requested again when it is time, and not before', async () => {
    const server = new Server();
    server.silent.add('a://1');
    await server.apply(['a://1']);
    server.open.get('a://1')?.(new SdkError(SdkErrorCode.RequestTimeout, 'timed out'));
    await new Promise((resolve) => setImmediate(resolve));
    server.silent.clear();
    await server.apply(['a://1']);
    expect(server.asked).toHaveLength(1);
    server.clock.advance(server.subscriptions.retryMs ?? 0);
    expect(await server.apply(['a://1'])).toEqual([]);
    expect(server.asked).toHaveLength(2);
    expect(server.subscriptions.active.has('a://1')).toBe(true);
    expect(server.subscriptions.retryMs).toBeUndefined();
  });

  it('that are refused are requested again too', async () => {
    const server = new Server();
    server.refused.add('a://1');
    expect(await server.apply(['a://0', 'a://1'])).toMatchObject([{ uri: 'a://1', isTransient: false }]);
    expect(server.subscriptions.awaits('a://1')).toBe(false);
    server.refused.clear();
    server.clock.advance(server.subscriptions.retryMs ?? 0);
    // Also if only others have changed.
    await server.apply(['a://0', 'a://1', 'a://2'], ['a://2']);
    expect(server.subscriptions.active.size).toBe(3);
  });

  it('that are no longer wanted are cancelled, and not requested again', async () => {
    const server = new Server();
    server.refused.add('a://1');
    await server.apply(['a://0', 'a://1']);
    await server.apply([]);
    expect(server.asked).toEqual(['+ a://0', '+ a://1', '- a://0']);
    expect(server.subscriptions.retryMs).toBeUndefined();
  });

  it('of a resource that is wanted again wait until its unsubscribe request is answered', async () => {
    const server = new Server();
    await server.apply(['a://0']);
    server.silent.add('a://0');
    await server.apply([]);
    expect(await server.apply(['a://0'])).toMatchObject([{ uri: 'a://0', isPending: true }]);
    expect(server.subscriptions.awaits('a://0')).toBe(true);
    expect(server.subscriptions.missing).toEqual({ refused: 0, unanswered: 1 });
    expect(server.asked).toEqual(['+ a://0', '- a://0']);
    server.silent.clear();
    server.open.get('a://0')?.();
    await new Promise((resolve) => setImmediate(resolve));
    expect(server.changed).toBe(1);
    expect(await server.apply(['a://0'])).toEqual([]);
    expect(server.asked).toEqual(['+ a://0', '- a://0', '+ a://0']);
    expect([...server.subscriptions.active]).toEqual(['a://0']);
  });

  it('are not ended if they are wanted again before their unsubscribe request is sent', async () => {
    const server = new Server();
    await server.apply(['a://0']);
    server.silent.add('a://1');
    // a://0 is to be ended once a://1 is answered.
    await server.apply(['a://1']);
    await server.apply(['a://0', 'a://1']);
    server.open.get('a://1')?.();
    await new Promise((resolve) => setImmediate(resolve));
    expect(server.asked).toEqual(['+ a://0', '+ a://1']);
    expect([...server.subscriptions.active]).toEqual(['a://0', 'a://1']);
  });
});
