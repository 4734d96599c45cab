// Listen streams at a server that acknowledges, refuses and ends them as the test says.
import {
  type Client,
  type McpSubscription,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
} from '@modelcontextprotocol/client';
import { FakeClock, eventually } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { ListenStreams } from './listen-streams.ts';

interface Opened {
  uris: readonly string[];
  isClosed: boolean;
  end(cause?: 'graceful' | 'remote'): void;
}

class Server {
  readonly opened: Opened[] = [];
  readonly log: string[] = [];
  readonly clock = new FakeClock();
  ended = 0;
  readonly lost: string[] = [];
  changed = 0;
  asked = 0;
  /** It answers with HTTP 429. */
  isBusy = false;
  /** It acknowledges only when `acknowledge` is called. */
  isSilent = false;
  acknowledge: () => void = () => undefined;
  failure: Error | undefined;
  most = Number.POSITIVE_INFINITY;
  mostStreams = Number.POSITIVE_INFINITY;
  bad = new Set<string>();
  unheard = new Set<string>();
  onOpen: (opened: Opened) => void = () => undefined;
  readonly subscriptions: ListenStreams;

  constructor() {
    const client: Pick<Client, 'listen'> = { listen: (filter) => this.#listen(filter.resourceSubscriptions ?? []) };
    const deps = { clock: this.clock, random: () => 0.5, answerMs: 1000, changed: () => void (this.changed += 1) };
    this.subscriptions = new ListenStreams({ client }, deps, {
      ended: () => void (this.ended += 1),
      lost: (lost) => void this.lost.push(...lost),
    });
  }

  get open(): Opened[] {
    return this.opened.filter(({ isClosed }) => !isClosed);
  }

  async #listen(uris: readonly string[]): Promise<McpSubscription> {
    this.asked += 1;
    if (this.failure) throw this.failure;
    if (this.isBusy) throw new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, 'busy', busy);
    if (this.isSilent) await new Promise<void>((resolve) => (this.acknowledge = resolve));
    if (this.open.length >= this.mostStreams) throw new ProtocolError(-32000, 'too many');
    if (uris.length > this.most || uris.some((uri) => this.bad.has(uri))) throw new ProtocolError(-32602, 'refused');
    let settle: (cause: 'local' | 'graceful' | 'remote') => void = () => undefined;
    const closed = new Promise<'local' | 'graceful' | 'remote'>((resolve) => (settle = resolve));
    const opened: Opened = {
      uris,
      isClosed: false,
      end: (cause = 'remote') => {
        opened.isClosed = true;
        settle(cause);
      },
    };
    this.opened.push(opened);
    this.log.push(`open ${uris.length}`);
    this.onOpen(opened);
    const honored = uris.filter((uri) => !this.unheard.has(uri));
    return {
      honoredFilter: { resourcesListChanged: true, resourceSubscriptions: honored },
      closed,
      close: async () => {
        opened.isClosed = true;
        this.log.push(`close ${uris.length}`);
        settle('local');
      },
    };
  }
}

const busy = { status: 429, statusText: 'Too Many Requests' };
const notFound = { status: 404, statusText: 'Not Found' };

const uris = (count: number) => Array.from({ length: count }, (_, n) => `a://${n}`);

/** The number of URIs in all requests. */
function asked({ opened }: Server): number {
  return opened.reduce((sum, each) => sum + each.uris.length, 0);
}

describe('listen streams', () => {
  it('request a number of URIs in proportion to the number of changes, one by one', async () => {
    const server = new Server();
    const wanted = new Set<string>();
    const all = uris(3000);
    await server.subscriptions.apply(wanted);
    for (const uri of all) {
      wanted.add(uri);
      await server.subscriptions.apply(wanted, [uri]);
    }
    server.clock.advance(5000);
    expect(server.open.length).toBeLessThanOrEqual(6);
    expect(server.subscriptions.active.size).toBe(3000);
    expect(asked(server)).toBeLessThan(40 * 3000);
    const before = asked(server);
    for (const uri of all) {
      wanted.delete(uri);
      await server.subscriptions.apply(wanted, [uri]);
    }
    server.clock.advance(5000);
    expect(server.open.map((stream) => stream.uris)).toEqual([[]]);
    expect(server.subscriptions.active.size).toBe(0);
    expect(asked(server) - before).toBeLessThan(40 * 3000);
  });

  it('stay open if a larger one is refused', async () => {
    const server = new Server();
    server.most = 30;
    await server.subscriptions.apply(new Set(uris(30)));
    for (let count = 31; count <= 60; count += 1) {
      expect(await server.subscriptions.apply(new Set(uris(count)), [`a://${count - 1}`])).toEqual([]);
    }
    expect(server.subscriptions.active.size).toBe(60);
    server.clock.advance(5000);
    expect(server.open.length).toBeLessThanOrEqual(8);
  });

  it('with an unwanted URI are kept until replacing them is worthwhile', async () => {
    const server = new Server();
    const wanted = new Set(uris(100));
    await server.subscriptions.apply(wanted);
    wanted.delete('a://7');
    await server.subscriptions.apply(wanted, ['a://7']);
    expect(server.log).toEqual(['open 100']);
    expect(server.subscriptions.active.has('a://7')).toBe(false);
    wanted.add('a://7');
    await server.subscriptions.apply(wanted, ['a://7']);
    expect(server.subscriptions.active.has('a://7')).toBe(true);
  });

  it('are one for all URIs, and a small one for added URIs', async () => {
    const server = new Server();
    await server.subscriptions.apply(new Set(uris(100)));
    await server.subscriptions.apply(new Set(uris(101)));
    expect(server.log).toEqual(['open 100', 'open 1']);
    expect(server.subscriptions.active.size).toBe(101);
  });

  it('are replaced by a new one, which is acknowledged before they are closed', async () => {
    const server = new Server();
    await server.subscriptions.apply(new Set(uris(10)));
    await server.subscriptions.apply(new Set(uris(9)));
    server.clock.advance(2000);
    expect(server.log).toEqual(['open 10', 'open 9']);
    server.clock.advance(2000);
    expect(server.log).toEqual(['open 10', 'open 9', 'close 10']);
    expect(server.open).toHaveLength(1);
  });

  it('that were replaced are ended early if the server limits streams', async () => {
    const server = new Server();
    server.mostStreams = 3;
    for (let count = 10; count > 0; count -= 1) {
      expect(await server.subscriptions.apply(new Set(uris(count)))).toEqual([]);
      expect(server.subscriptions.active.size).toBe(count);
    }
  });

  it.each([
    ['may have lost what was on its way', 'remote', ['a://0', 'a://1']],
    ['has lost nothing', 'graceful', []],
  ] as const)('that were replaced %s if their end is %s', async (_, cause, lost) => {
    const server = new Server();
    await server.subscriptions.apply(new Set(uris(3)));
    await server.subscriptions.apply(new Set(uris(2)));
    server.opened[0]?.end(cause);
    await new Promise((resolve) => setImmediate(resolve));
    expect([server.lost, server.ended]).toEqual([lost, 0]);
  });

  it('that were replaced may end, and are limited in number', async () => {
    const server = new Server();
    for (let count = 40; count > 0; count -= 1) await server.subscriptions.apply(new Set(uris(count)));
    expect(server.open).toHaveLength(17);
    server.open[0]?.end();
    await Promise.resolve();
    expect(server.ended).toBe(0);
    server.subscriptions.close();
    expect(server.open).toEqual([]);
  });

  it('are limited in number', async () => {
    const server = new Server();
    for (let count = 1; count <= 40; count += 1) await server.subscriptions.apply(new Set(uris(count)));
    server.clock.advance(5000);
    expect(server.open.length).toBeLessThanOrEqual(4);
    expect(server.subscriptions.active.size).toBe(40);
  });

  it('are split if the server limits them, and one refused URI is found among many', async () => {
    const server = new Server();
    server.most = 30;
    server.bad.add('a://77');
    const refusals = await server.subscriptions.apply(new Set(uris(100)));
    expect(refusals.map(({ uri }) => uri)).toEqual(['a://77']);
    expect(server.subscriptions.active.size).toBe(99);
  });

  it('are not requested for ever if everything is refused', async () => {
    const server = new Server();
    server.most = -1;
    const refusals = await server.subscriptions.apply(new Set(uris(10_000)));
    expect(refusals).toHaveLength(10_000);
    expect(server.opened).toHaveLength(0);
  });

  it.each([
    ['not found', new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, 'no such method', notFound)],
    [
      'a result at once',
      new SdkError(
        SdkErrorCode.ConnectionClosed,
        'subscriptions/listen: server closed the subscription gracefully before acknowledging',
      ),
    ],
  ])('are refused by a server without them: %s', async (_name, error) => {
    const server = new Server();
    server.failure = error;
    expect(await server.subscriptions.apply(new Set(uris(1)))).toMatchObject([{ uri: 'a://0', isTransient: false }]);
    expect(await server.subscriptions.apply(new Set())).toEqual([]);
  });

  it('cover the acknowledged URIs', async () => {
    const server = new Server();
    server.unheard.add('a://3');
    const refusals = await server.subscriptions.apply(new Set(uris(5)));
    expect(refusals.map(({ uri }) => uri)).toEqual(['a://3']);
    expect(server.subscriptions.active.has('a://3')).toBe(false);
  });

  it('that end are no longer active, also while others are being opened', async () => {
    const server = new Server();
    server.most = 5;
    server.onOpen = (opened) => {
      if (opened.uris.includes('a://0')) setImmediate(() => opened.end());
    };
    await server.subscriptions.apply(new Set(uris(10)));
    await eventually('the end to be noticed', () => server.ended === 1);
    expect(server.subscriptions.active.has('a://0')).toBe(false);
    expect(server.subscriptions.active.has('a://9')).toBe(true);
    server.onOpen = () => undefined;
    await server.subscriptions.apply(new Set(uris(10)));
    expect(server.subscriptions.active.size).toBe(10);
  });

  it('that are not acknowledged do not block the caller, and are active once they are', async () => {
    const server = new Server();
    server.isSilent = true;
    const applied = server.subscriptions.apply(new Set(uris(3)));
    await new Promise((resolve) => setImmediate(resolve));
    server.clock.advance(1500);
    expect(await applied).toMatchObject([{ isPending: true }, { isPending: true }, { isPending: true }]);
    expect(server.subscriptions.awaits('a://0')).toBe(true);
    expect(server.subscriptions.active.size).toBe(0);
    // A URI that is added meanwhile waits for its turn.
    const added = server.subscriptions.apply(new Set(uris(4)), ['a://3']);
    await new Promise((resolve) => setImmediate(resolve));
    server.clock.advance(1500);
    await added;
    expect(server.subscriptions.awaits('a://3')).toBe(true);
    server.acknowledge();
    await eventually('the news', () => server.changed === 1);
    expect(server.subscriptions.active.size).toBe(3);
    expect(await server.subscriptions.apply(new Set(uris(3)))).toEqual([]);
    expect(server.asked).toBe(1);
  });

  it('that a busy server refuses are requested again unchanged, after a pause', async () => {
    const server = new Server();
    server.isBusy = true;
    expect(await server.subscriptions.apply(new Set(uris(100)))).toHaveLength(100);
    expect(server.asked).toBe(1);
    expect(server.subscriptions.missing).toEqual({ refused: 0, unanswered: 100 });
    server.isBusy = false;
    await server.subscriptions.apply(new Set(uris(100)));
    expect(server.asked).toBe(1);
    server.clock.advance(server.subscriptions.retryMs ?? 0);
    expect(await server.subscriptions.apply(new Set(uris(100)))).toEqual([]);
    expect(server.log).toEqual(['open 100']);
    expect(server.subscriptions.active.size).toBe(100);
  });

  it('whose replacement a busy server refuses stay open', async () => {
    const server = new Server();
    await server.subscriptions.apply(new Set(uris(10)));
    server.isBusy = true;
    expect(await server.subscriptions.apply(new Set(uris(12)))).toHaveLength(2);
    expect(server.subscriptions.active.size).toBe(10);
    expect(server.open).toHaveLength(1);
  });
});
