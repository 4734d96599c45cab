// The bus on a real NATS server: the cases of all feeds, interest, and lost messages.
import { NatsFeed, openNatsBus } from '@tidings/bus';
import type { Bus, Change } from '@tidings/live';
import { FakeClock, eventually, feedCases } from '@tidings/live/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWith } from '../support/run/needs.ts';
import { NatsServer, natsNeed } from '../support/service/nats.ts';

const silent = { warn: () => undefined, error: () => undefined };

class Reader {
  readonly topics: string[] = [];
  gaps = 0;

  change({ topics }: Change): void {
    this.topics.push(...topics);
  }

  gap(): void {
    this.gaps += 1;
  }
}

async function connected(nats: NatsServer, clock?: FakeClock): Promise<Bus> {
  const bus = openNatsBus(nats.url, { log: silent, ...(clock && { clock }) });
  await new Promise<void>((resolve) => void bus.onGap(resolve));
  return bus;
}

describeWith(natsNeed, 'the bus', () => {
  let nats: NatsServer;
  beforeAll(async () => void (nats = await NatsServer.start()));
  afterAll(() => nats.down());

  for (const { name, run } of feedCases) {
    it(`as a feed ${name}`, () =>
      run(async (horizon) => {
        const bus = await connected(nats);
        return { feed: new NatsFeed(bus, 'suite', horizon), close: () => bus.close() };
      }));
  }

  it('wakes another process for its wanted topics only, in any spelling', async () => {
    const [here, there] = [await connected(nats), await connected(nats)];
    const [writer, feed] = [new NatsFeed(here, 'notes'), new NatsFeed(there, 'notes')];
    const reader = new Reader();
    feed.follow(reader);
    const topics = ['note://Zürich', 'note://*.>', `note://${'long'.repeat(5000)}`];
    const wants = topics.map((topic) => feed.want(topic));
    await Promise.all(wants.map(({ ready }) => ready));
    writer.announce(['note://unwanted']);
    writer.announce(['note://z%C3%BCrich', 'beside']);
    for (const topic of topics.slice(1)) writer.announce([topic]);
    await eventually('the last one', () => reader.topics.length >= 4);
    expect(reader.topics).toEqual(['note://z%C3%BCrich', 'beside', ...topics.slice(1)]);
    writer.announce(Array.from({ length: 1000 }, (_, n) => `note://many/${n}`));
    await eventually('one of many', () => reader.topics.includes('note://many/999'));
    await Promise.all([here.close(), there.close()]);
  });

  it('brings a change to another process once, with any number of its topics wanted', async () => {
    const [here, there] = [await connected(nats), await connected(nats)];
    const [writer, feed] = [new NatsFeed(here, 'once'), new NatsFeed(there, 'once')];
    const reader = new Reader();
    feed.follow(reader);
    const many = Array.from({ length: 100 }, (_, n) => `note://${n}`);
    await Promise.all([...many, 'end'].map((topic) => feed.want(topic).ready));
    writer.announce(['note://1', 'note://2']);
    writer.announce(['note://1', 'note://2']);
    writer.announce(many);
    writer.announce(['end']);
    await eventually('the last one', () => reader.topics.includes('end'));
    expect(reader.topics).toEqual(['note://1', 'note://2', 'note://1', 'note://2', ...many, 'end']);
    await Promise.all([here.close(), there.close()]);
  });

  it('has one subscription for any number of wants, and keeps it for a moment after the last', async () => {
    await using own = await NatsServer.start();
    const clock = new FakeClock();
    const bus = await connected(own, clock);
    const feed = new NatsFeed(bus, 'linger');
    const wants = ['x', 'x', 'y'].map((topic) => feed.want(topic));
    await Promise.all(wants.map(({ ready }) => ready));
    // One for each topic, and one for changes of several topics.
    expect(await own.subscriptions()).toBe(3);
    for (const { end } of wants.slice(0, 2)) end();
    clock.advance(900);
    expect(await own.subscriptions()).toBe(3);
    clock.advance(200);
    await eventually('the one of x to be gone', async () => (await own.subscriptions()) === 2);
    await bus.close();
  });

  it('has a gap after an outage of NATS, and continues', async () => {
    await using own = await NatsServer.start();
    const [here, there] = [await connected(own), await connected(own)];
    const [writer, feed] = [new NatsFeed(here, 'away'), new NatsFeed(there, 'away')];
    const reader = new Reader();
    feed.follow(reader);
    await feed.want('x').ready;
    await own.down();
    writer.announce(['x']);
    await own.up();
    await eventually('a gap', () => reader.gaps > 0);
    await eventually('later changes', () => {
      writer.announce(['x']);
      return reader.topics.includes('x');
    });
    await Promise.all([here.close(), there.close()]);
  });

  it('waits for a NATS server that is not available yet', async () => {
    await using own = await NatsServer.start();
    await own.down();
    const bus = openNatsBus(own.url, { log: silent });
    const feed = new NatsFeed(bus, 'late');
    const reader = new Reader();
    feed.follow(reader);
    await feed.want('x').ready;
    await own.up();
    await eventually('a gap', () => reader.gaps > 0);
    await bus.close();
  });

  it('refuses an address that is not of NATS', () => {
    expect(() => openNatsBus('http://127.0.0.1')).toThrow('nats://');
  });
});
