// Any order of changes, notifications, reads and responses: a client that reads again when notified, and only then, has
// the server's content in the end.
import type { ReadResourceResult } from '@modelcontextprotocol/client';
import { FakeClock } from '@tidings/live/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Snapshots } from '../../mirror/snapshots.ts';
import { Versions } from '../../mirror/versions.ts';
import { defaultSettings } from '../../options/settings.ts';
import { Telemetry } from '../../base/telemetry.ts';
import { FakeRecorder } from '../../testing/fake-recorder.ts';
import { FakeResourceServer } from '../../testing/fake-resource-server.ts';
import { FollowedResources } from './followed-resources.ts';

const uri = 'note://a';

interface Request {
  /** The content when the request was sent. */
  before: string;
  answer(text: string): void;
}

class World {
  readonly clock = new FakeClock();
  truth = 'A';
  requests: Request[] = [];
  events = 0;
  ttlMs = 0;
  /** The reader's copy, and whether it was notified of a change. */
  held: string | undefined = 'A';
  isTold = false;
  /** The reader's action at a notification. */
  onTold: () => void = () => undefined;
  reading = 0;
  readonly server = new FakeResourceServer(this.clock, () => this.#fetch());
  readonly followed: FollowedResources;

  constructor() {
    const recorder = new FakeRecorder(({ type }) => {
      if (type !== 'resource_update' && type !== 'gap') return;
      this.events += 1;
      this.isTold = true;
      this.onTold();
    });
    const deps = {
      serverId: 's',
      clock: this.clock,
      settings: defaultSettings,
      telemetry: new Telemetry(),
      snapshots: new Snapshots(1_000_000),
      versions: new Versions({ count: 20, bytes: 1_000_000 }),
      server: this.server,
      recorder,
      handover: { watchers: { tell: () => undefined }, watcherContents: new Map() },
    };
    this.followed = new FollowedResources(deps, new Map());
    this.followed.listeners.isTracked = true;
  }

  begin(): void {
    this.followed.follow(uri);
    this.heal();
  }

  heal(): void {
    void this.followed.healing.run({ isInForce: () => true, isCurrent: () => true });
  }

  #fetch(): Promise<ReadResourceResult> {
    return new Promise((resolve) => {
      const result = (text: string) => ({ contents: [{ uri, text }], ttlMs: this.ttlMs });
      this.requests.push({ before: this.truth, answer: (text) => resolve(result(text)) });
    });
  }

  /** Another client reads, without any content yet. */
  readForAnother(): void {
    void this.followed.mirror.read(uri);
  }

  /** The reader reads again if it was notified. */
  read(): void {
    if (this.isTold) this.readUntold();
  }

  readUntold(): void {
    this.isTold = false;
    this.reading += 1;
    void this.followed.mirror.read(uri).then(({ contents }) => {
      const [first] = contents;
      this.held = first && 'text' in first ? first.text : undefined;
      this.reading -= 1;
    });
  }

  async settle(): Promise<void> {
    for (let n = 0; n < 30; n += 1) await Promise.resolve();
  }
}

const deeds = {
  change: (world: World) => {
    world.truth = world.truth === 'A' ? 'B' : 'A';
    world.followed.updated(uri);
  },
  changeToC: (world: World) => {
    world.truth = 'C';
    world.followed.updated(uri);
  },
  repeat: (world: World) => world.followed.updated(uri),
  read: (world: World) => world.read(),
  answerNew: (world: World) => world.requests.shift()?.answer(world.truth),
  answerOld: (world: World) => {
    const request = world.requests.shift();
    request?.answer(request.before);
  },
  changeUnheard: (world: World) => {
    world.truth = world.truth === 'A' ? 'B' : 'A';
  },
  readForAnother: (world: World) => world.readForAnother(),
  readUntold: (world: World) => world.readUntold(),
  poll: (world: World) => void world.followed.checks.poll(uri),
  gap: (world: World) => {
    world.followed.doubtAll();
    world.heal();
  },
  soon: (world: World) => world.clock.advance(300),
  later: (world: World) => world.clock.advance(2000),
} as const;
const names = ['change', 'changeToC', 'repeat', 'read', 'answerNew', 'answerOld', 'soon', 'later'] as const;
const unheard = ['changeUnheard', 'readForAnother', 'readUntold', ...names.slice(3)] as const;

describe('a followed resource', () => {
  it.each([0, 60_000])('is current for every reader in the end (ttlMs %i)', async (ttlMs) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...names), { maxLength: 40 }), async (plan) => {
        const world = new World();
        world.ttlMs = ttlMs;
        world.begin();
        await world.settle();
        for (const name of plan) {
          deeds[name](world);
          await world.settle();
        }
        for (let n = 0; n < 12; n += 1) {
          for (const name of ['read', 'answerNew', 'answerNew', 'later', 'read'] as const) {
            deeds[name](world);
            await world.settle();
          }
        }
        expect(world.reading).toBe(0);
        expect(world.held).toBe(world.truth);
      }),
      { numRuns: 300 },
    );
  });

  it.each(['poll', 'gap'] as const)(
    'has its changes found without a notification, also while other clients read (%s)',
    async (look) => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.constantFrom(...unheard, look), { maxLength: 40 }), async (plan) => {
          const world = new World();
          world.server.isSubscribing = look === 'gap';
          world.begin();
          await world.settle();
          for (const name of ['answerNew', ...plan] as const) {
            deeds[name](world);
            await world.settle();
          }
          for (let n = 0; n < 12; n += 1) {
            for (const name of [look, 'answerNew', 'answerNew', 'read', 'answerNew', 'later'] as const) {
              deeds[name](world);
              await world.settle();
            }
          }
          expect(world.held).toBe(world.truth);
        }),
        { numRuns: 150 },
      );
    },
  );

  it('is not served with the old content after an update was announced', async () => {
    const world = new World();
    world.ttlMs = 60_000;
    world.begin();
    deeds.answerNew(world);
    await world.settle();
    world.onTold = () => world.read();
    deeds.change(world);
    await world.settle();
    deeds.answerNew(world);
    await world.settle();
    expect(world.held).toBe('B');
  });

  it('has few events for many notifications', async () => {
    const world = new World();
    world.begin();
    for (let n = 0; n < 1000; n += 1) {
      deeds.repeat(world);
      deeds.soon(world);
      deeds.answerNew(world);
      deeds.read(world);
      deeds.answerNew(world);
      await world.settle();
    }
    expect(world.events).toBeLessThanOrEqual((1000 * 0.3) / 2 + 2);
  });
});
