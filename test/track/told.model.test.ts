// Whatever is lost on the way, in whatever order: a reader that reads again when told, and only then, ends up
// with what the server has. The model finds cases that were not thought of; each that it found stays as a test.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWhole } from '../support/proof-size.ts';
import { World, type WorldSetting, uris } from './model/world.ts';

const [a, b] = uris;
/** Few with every `npm test`, more with all proofs. */
const numRuns = Number(process.env['TIDINGS_MODEL_RUNS'] ?? (isWhole ? 150 : 15));

const deeds = {
  changeA: (world: World) => world.server.contents.has(a) && world.server.put(a, world.nextValue()),
  changeB: (world: World) => world.server.contents.has(b) && world.server.put(b, world.nextValue()),
  deliver: (world: World) => world.server.deliver(),
  deliverAll: (world: World) => world.server.deliverAll(),
  silence: (world: World) => world.server.silence(),
  cut: (world: World) => world.server.cut(),
  restore: (world: World) => world.server.restore(),
  act: (world: World) => world.act(),
  slow: (world: World) => void (world.server.isSlow = true),
  quick: (world: World) => void (world.server.isSlow = false),
  answerOld: (world: World) => world.server.answerNext('old'),
  answerNew: (world: World) => world.server.answerNext('new'),
  readForAnother: (world: World) => void world.upstream.read(a).catch(() => undefined),
  loseSession: (world: World) => world.server.loseSession(),
  goAway: (world: World) => {
    world.server.isUp = false;
    world.server.loseSession();
  },
  comeBack: (world: World) => void (world.server.isUp = true),
  otherEra: (world: World) => {
    world.server.era = world.server.era === 'legacy' ? 'modern' : 'legacy';
    world.server.loseSession();
  },
  watchLate: (world: World) => void world.watch(a, world.watchers[0]?.held.get(a) ?? 'first'),
  unwatch: (world: World) => world.unwatch(),
  vanish: (world: World) => world.server.contents.has(a) && world.server.vanish(a),
  appear: (world: World) => !world.server.contents.has(a) && world.server.appear(a, world.nextValue()),
  vanishB: (world: World) => world.server.contents.has(b) && world.server.vanish(b),
  appearB: (world: World) => !world.server.contents.has(b) && world.server.appear(b, world.nextValue()),
  refuseLists: (world: World) => void (world.server.refusesLists = true),
  giveLists: (world: World) => void (world.server.refusesLists = false),
  /** Subscriptions are not answered for a while, so that lists are read and not reported. */
  hold: (world: World) => world.server.hold(),
  agree: (world: World) => world.server.agree(),
  commit: (world: World) => world.commit(),
  kill: (world: World) => world.kill(),
  restart: (world: World) => world.restart(),
  takeOver: (world: World) => world.takeOver(),
  giveUp: (world: World) => world.takeOver({ isFollower: true }),
  failReads: (world: World) => void (world.server.failsReads = 2),
  replace: (world: World) => world.replace(),
  trackOff: (world: World) => world.track(false),
  trackOn: (world: World) => world.track(true),
  leave: (world: World) => world.readers[1] && world.attach(world.readers[1], false),
  comeAgain: (world: World) => world.readers[1] && world.attach(world.readers[1], true),
  /** It notifies at once. */
  tellA: (world: World) => {
    world.server.put(a, world.nextValue());
    world.server.deliverAll();
  },
  /** From now on its reads show what was there a while ago. */
  lag: (world: World) => void (world.server.lagMs = 1500),
  pause: (world: World) => world.clock.advance(100),
  // What is told and not lost arrives before long.
  soon: (world: World) => world.pass(300),
  later: (world: World) => world.pass(2000),
  muchLater: (world: World) => world.pass(20_000),
} satisfies Record<string, (world: World) => unknown>;

/** Resources that may have been missing for a moment are read this often, and changes can come right after that. */
const missedListMs = 11_000;

type Deed = keyof typeof deeds;

const usual: readonly Deed[] = [
  'changeA',
  'changeA',
  'changeB',
  'deliver',
  'deliverAll',
  'act',
  'slow',
  'quick',
  'answerOld',
  'answerNew',
  'readForAnother',
  'soon',
  'later',
  'muchLater',
];
const streams: readonly Deed[] = ['silence', 'cut', 'restore'];
const sessions: readonly Deed[] = ['loseSession', 'goAway', 'comeBack', 'otherEra', 'watchLate'];
const changes: readonly Deed[] = ['tellA', 'tellA', 'act', 'readForAnother', 'pause', 'soon', 'later'];
const lists: readonly Deed[] = ['vanish', 'appear', 'vanishB', 'appearB'];
const answers: readonly Deed[] = ['hold', 'agree', 'refuseLists', 'giveLists'];
const lives: readonly Deed[] = ['commit', 'commit', 'kill', 'restart', 'leave', 'comeAgain'];
const roles: readonly Deed[] = ['takeOver', 'giveUp', 'replace'];
const tracking: readonly Deed[] = ['trackOff', 'trackOn'];

interface Setting extends WorldSetting {
  /** How soon after the last fault all must be right: 5 s, unless it can only be found by looking again. */
  withinMs?: number;
}

/** Who is wrong after these deeds and a time without faults, or how long it took until none was. */
async function staleAfter(plan: readonly Deed[], setting: Setting = {}): Promise<string[]> {
  const world = new World(setting);
  world.start();
  await world.settle();
  world.act();
  await world.settle();
  for (const name of plan) {
    await deeds[name](world);
    await world.settle();
  }
  const { withinMs = 5000 } = setting;
  const ms = await world.calm();
  return ms !== undefined && ms > withinMs ? [`all were right after ${ms} ms only`] : world.stale();
}

describe('no listener stays with old content', () => {
  const runs: [string, readonly Deed[], Setting][] = [
    ['streams are lost', [...usual, ...streams], {}],
    ['sessions are lost', [...usual, ...streams, ...sessions], {}],
    ['resources vanish and return', [...usual, ...lists], { withinMs: missedListMs }],
    [
      'subscriptions and lists are not answered',
      [...usual, ...lists, ...sessions, ...answers],
      { isWatched: false, withinMs: missedListMs },
    ],
    ['the tracker ends and starts', [...usual, ...lives], {}],
    ['the tracker ends and starts soon after changes', [...changes, ...lives], {}],
    ['this node has another role', [...usual, ...streams, ...sessions, ...roles], {}],
    [
      'this node has another role and is not answered',
      [...usual, ...sessions, ...answers, ...roles],
      { isWatched: false },
    ],
    ['this node has another role, of large resources', [...usual, ...sessions, ...roles], { maxContentBytes: 3 }],
    ['this node has another role soon after changes', [...changes, ...roles, 'watchLate', 'unwatch'], {}],
    [
      'this node has another role, of resources that may be kept',
      [...usual, ...sessions, ...roles, 'unwatch', 'failReads'],
      { isTracked: false, isWatched: false, ttlMs: 600_000 },
    ],
    [
      'contents may be kept and reads fail',
      [...usual, ...streams, ...sessions, 'unwatch', 'failReads'],
      { isTracked: false, isWatched: false, ttlMs: 600_000 },
    ],
    ['tracking is switched', [...usual, ...tracking], {}],
    ['tracking is switched, of large resources', [...usual, ...sessions, ...tracking], { maxContentBytes: 3 }],
    ['nothing is told and all is polled', [...usual, ...sessions], { canSubscribe: false }],
    ['reads lag by 1.5 s', changes, { lagMs: 1500, withinMs: 20_000 }],
    ['reads lag by 6 s', changes, { lagMs: 6000, withinMs: 20_000 }],
    ['nothing is tracked', [...usual, ...streams, ...lists], { isTracked: false, withinMs: missedListMs }],
    [
      'everything happens',
      [...usual, ...streams, ...sessions, ...lists, ...lives, ...roles, ...tracking, 'unwatch'],
      { withinMs: missedListMs },
    ],
  ];
  it.each(runs)('when %s', { timeout: 120_000 }, async (_, names, setting) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...names), { maxLength: 30, size: 'max' }), async (plan) => {
        expect(await staleAfter(plan, setting)).toEqual([]);
      }),
      { numRuns },
    );
  });
});

it('no listener is told more often than the server notifies, if nothing is lost', { timeout: 60_000 }, async () => {
  // A client that is given an old content late may hold it: it is told again.
  const prompt = usual.filter((name) => name !== 'slow' && name !== 'answerOld');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...prompt), { maxLength: 40, size: 'max' }), async (plan) => {
      const world = new World();
      world.start();
      await world.settle();
      const before = world.watchers.map(({ timesTold }) => timesTold);
      for (const name of plan) {
        await deeds[name](world);
        await world.settle();
      }
      await world.calm();
      for (const [n, uri] of uris.entries()) {
        expect((world.watchers[n]?.timesTold ?? 0) - (before[n] ?? 0)).toBe(world.server.timesTold(uri));
        expect(world.updates(uri)).toBeLessThanOrEqual(world.server.timesTold(uri));
      }
      expect(world.gaps).toBe(0);
    }),
    { numRuns },
  );
});

describe('no listener misses', () => {
  /** The second comes before the first was read, and another client has read it. */
  const slowly: readonly Deed[] = ['slow', 'changeA', 'deliver', 'changeA', 'deliver'];
  const twoChanges: readonly Deed[] = [...slowly, 'quick', 'answerOld', 'readForAnother', 'soon', 'soon'];
  // What the model found in an earlier tracker, and what was found by other means.
  const cases: [string, readonly Deed[], Setting][] = [
    [
      'a change that a read saw while the stream was down',
      ['changeA', 'deliver', 'act', 'soon', 'changeA', 'deliver', 'act', 'cut', 'changeA', 'later', 'restore'],
      {},
    ],
    ['a change that a read saw before its notification came', ['changeA', 'deliver', 'changeA', 'act'], {}],
    [
      'a change that a read saw and whose notification was lost',
      ['slow', 'changeA', 'deliver', 'changeA', 'silence', 'answerNew', 'quick', 'restore'],
      {},
    ],
    [
      'a change that a read saw after the stream was lost',
      ['slow', 'changeA', 'deliver', 'cut', 'changeA', 'restore', 'answerNew', 'quick'],
      {},
    ],
    [
      'a change while it is being compared',
      ['slow', 'cut', 'restore', 'cut', 'changeA', 'restore', 'answerOld', 'answerOld', 'quick'],
      {},
    ],
    [
      'a change when the session is lost while it is being compared',
      ['slow', 'cut', 'changeA', 'changeB', 'restore', 'answerNew', 'loseSession', 'quick'],
      {},
    ],
    ['a change that a reader could not read, since the session was lost', ['changeA', 'deliverAll', 'loseSession'], {}],
    ['a change that was polled before the era changed', ['changeA', 'muchLater', 'otherEra'], { canSubscribe: false }],
    ['a change that only another client has read', ['changeA', 'readForAnother', 'muchLater'], { canSubscribe: false }],
    [
      'a change that its window has not told when the tracker is killed',
      ['commit', ...twoChanges, 'commit', 'kill'],
      {},
    ],
    ['a change that its window has not told when the tracker stops', ['commit', ...twoChanges, 'restart'], {}],
    ['a change that a read saw before the tracker stops', ['changeA', 'readForAnother', 'restart'], {}],
    ['a change of the list that the archive does not have', ['commit', 'vanish', 'deliver', 'commit', 'kill'], {}],
    ['a resource that leaves the list', ['vanish'], {}],
    ['a resource that leaves the list of a server that is not tracked', ['vanish'], { isTracked: false }],
    ['a resource that returns, and changes later', ['vanish', 'later', 'appear', 'later', 'changeA'], {}],
    ['a resource that is gone for a moment, and changes later', ['vanish', 'appear', 'later', 'changeA'], {}],
    [
      'a resource that returns in the new era',
      ['otherEra', 'later', 'vanish', 'later', 'appear', 'later', 'changeA'],
      {},
    ],
    [
      'a resource that was gone for a moment while the stream was down, and changes later',
      ['cut', 'vanish', 'appear', 'restore', 'later', 'changeA'],
      {},
    ],
    [
      'a resource that was gone for a moment while another left, and changes later',
      ['vanish', 'vanishB', 'appear', 'later', 'changeA'],
      {},
    ],
    [
      'a resource that was gone while the stream was down and another left, and changes later',
      ['cut', 'vanish', 'appear', 'vanishB', 'restore', 'later', 'changeA'],
      {},
    ],
    [
      'a resource that returns before its removal was reported',
      ['vanishB', 'later', 'hold', 'vanish', 'appearB', 'deliverAll', 'soon', 'loseSession', 'appear'],
      { isWatched: false },
    ],
    [
      'a change of a large resource while this node becomes a follower',
      ['goAway', 'changeA', 'giveUp', 'replace', 'comeBack'],
      { maxContentBytes: 3 },
    ],
    [
      'a change that a new follower cannot read at first',
      ['goAway', 'changeA', 'giveUp', 'replace', 'failReads', 'comeBack'],
      {},
    ],
    [
      'a change that was told, and could not be read while this node became a follower',
      ['goAway', 'changeA', 'comeBack', 'later', 'goAway', 'giveUp', 'replace', 'act', 'muchLater', 'comeBack'],
      {},
    ],
    [
      'a change of a large resource that is watched while the server is away',
      ['goAway', 'restart', 'watchLate', 'changeA', 'comeBack'],
      { isTracked: false, isWatched: false, maxContentBytes: 3 },
    ],
    ['a change while tracking was off', ['trackOff', 'changeA', 'deliver'], {}],
    [
      'a change of a large resource that was lost before tracking was resumed',
      ['watchLate', 'goAway', 'changeA', 'trackOn', 'comeBack'],
      { isTracked: false, isWatched: false, maxContentBytes: 3 },
    ],
    [
      'a change before tracking was resumed, of a resource that may be kept and cannot be compared',
      ['changeA', 'failReads', 'trackOn'],
      { isTracked: false, isWatched: false, ttlMs: 600_000 },
    ],
    [
      'a subscription that was answered while the server was away',
      ['goAway', 'restart', 'watchLate', 'changeA', 'comeBack'],
      { isTracked: false, isWatched: false },
    ],
    ['a server whose reads lag behind its notifications', ['later', 'lag', 'changeA', 'deliver', 'act', 'pause'], {}],
  ];
  it.each(cases)('%s', async (_, plan, setting) => {
    // What was read at the beginning has settled.
    expect(await staleAfter(['soon', 'soon', ...plan], setting)).toEqual([]);
  });
});

it('pending events of its windows are announced when the tracker stops', async () => {
  const world = new World();
  world.start();
  await world.settle();
  for (const name of ['changeA', 'deliver', 'changeA', 'deliver'] as const) {
    deeds[name](world);
    await world.settle();
  }
  const before = world.updates(a);
  await world.upstream.stop();
  expect(world.updates(a)).toBe(before + 1);
});

it('a server counts as up once its successor has replaced its predecessor', async () => {
  const world = new World();
  world.start();
  await world.settle();
  for (const name of ['commit', 'giveUp', 'replace', 'takeOver', 'soon', 'replace'] as const) {
    deeds[name](world);
    await world.settle();
  }
  const { values } = await world.telemetry.up.get();
  expect(values).toMatchObject([{ value: 1 }]);
});

it.each(['legacy', 'modern'] as const)('a change on a dead %s stream is reported within 20 s', async (era) => {
  const world = new World();
  world.server.era = era;
  world.start();
  await world.settle();
  // The server has been silent for a long time.
  for (let n = 0; n < 100; n += 1) {
    world.clock.advance(10_000);
    await world.settle();
  }
  world.act();
  await world.settle();
  world.server.silence();
  world.server.put(a, world.nextValue());
  for (let n = 0; n < 20; n += 1) {
    world.clock.advance(1000);
    await world.settle();
  }
  world.act();
  await world.settle();
  expect(world.stale()).toEqual([]);
  expect(world.server.stream).toBe('open');
  expect(world.updates(a)).toBe(1);
});
