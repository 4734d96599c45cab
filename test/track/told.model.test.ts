// Messages are lost in any order: a reader that reads again when notified, and only then, has the server's content in
// the end. The model finds unforeseen cases; each case that it found stays as a test.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWhole } from '../support/run/proof-size.ts';
import {
  type Step,
  steps,
  usual,
  streams,
  sessions,
  changes,
  lists,
  answers,
  lives,
  roles,
  tracking,
} from './model/steps.ts';
import { World, type WorldSetting, uris } from './model/world.ts';

const [a] = uris;
/** Few runs with every `npm test`, more with `npm run prove`. */
const numRuns = Number(process.env['TIDINGS_MODEL_RUNS'] ?? (isWhole ? 150 : 15));

/**
 * Resources that may have been missing for a moment are read at this interval, and a change can follow right after a
 * read.
 */
const missedListMs = 11_000;

interface Setting extends WorldSetting {
  /**
   * The time until all readers must be right after the last fault: 5 s, unless only the next regular read can find a
   * change.
   */
  withinMs?: number;
}

/**
 * The readers that are wrong after these steps and a time without faults, or the time that all of them needed, if too
 * long.
 */
async function staleAfter(plan: readonly Step[], setting: Setting = {}): Promise<string[]> {
  const world = new World(setting);
  world.start();
  await world.settle();
  world.act();
  await world.settle();
  for (const name of plan) {
    await steps[name](world);
    await world.settle();
  }
  const { withinMs = 5000 } = setting;
  const ms = await world.calm();
  return ms !== undefined && ms > withinMs ? [`all were right only after ${ms} ms`] : world.stale();
}

describe('every listener gets the current content', () => {
  const runs: [string, readonly Step[], Setting][] = [
    ['streams are lost', [...usual, ...streams], {}],
    ['sessions are lost', [...usual, ...streams, ...sessions], {}],
    ['resources are removed and return', [...usual, ...lists], { withinMs: missedListMs }],
    [
      'subscriptions and lists are not answered',
      [...usual, ...lists, ...sessions, ...answers],
      { isWatched: false, withinMs: missedListMs },
    ],
    ['the tracker is restarted', [...usual, ...lives], {}],
    ['the tracker is restarted soon after changes', [...changes, ...lives], {}],
    ['this node changes its role', [...usual, ...streams, ...sessions, ...roles], {}],
    [
      'this node changes its role and requests are not answered',
      [...usual, ...sessions, ...answers, ...roles],
      { isWatched: false },
    ],
    ['this node changes its role, with large resources', [...usual, ...sessions, ...roles], { maxContentBytes: 3 }],
    ['this node changes its role soon after changes', [...changes, ...roles, 'watchLate', 'unwatch'], {}],
    [
      'this node changes its role, with cacheable resources',
      [...usual, ...sessions, ...roles, 'unwatch', 'failReads'],
      { isTracked: false, isWatched: false, ttlMs: 600_000 },
    ],
    [
      'reads of cacheable resources fail',
      [...usual, ...streams, ...sessions, 'unwatch', 'failReads'],
      { isTracked: false, isWatched: false, ttlMs: 600_000 },
    ],
    ['tracking is switched', [...usual, ...tracking], {}],
    ['tracking is switched, with large resources', [...usual, ...sessions, ...tracking], { maxContentBytes: 3 }],
    ['all resources are polled', [...usual, ...sessions], { canSubscribe: false }],
    ['reads lag by 1.5 s', changes, { lagMs: 1500, withinMs: 20_000 }],
    ['reads lag by 6 s', changes, { lagMs: 6000, withinMs: 20_000 }],
    ['nothing is tracked', [...usual, ...streams, ...lists], { isTracked: false, withinMs: missedListMs }],
    [
      'all faults are mixed',
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

it('no listener is notified more often than the server notifies, if nothing is lost', async () => {
  // Delayed responses are left out: a client that may have got an old content late is notified again.
  const prompt = usual.filter((name) => name !== 'slow' && name !== 'answerOld');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...prompt), { maxLength: 40, size: 'max' }), async (plan) => {
      const world = new World();
      world.start();
      await world.settle();
      const before = world.watchers.map(({ timesTold }) => timesTold);
      for (const name of plan) {
        await steps[name](world);
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
  /** The second change comes before the first one was read, and another client has read it. */
  const slowly: readonly Step[] = ['slow', 'changeA', 'deliver', 'changeA', 'deliver'];
  const twoChanges: readonly Step[] = [...slowly, 'quick', 'answerOld', 'readForAnother', 'soon', 'soon'];
  // Cases that the model found in an earlier tracker, and some that were found by other means.
  const cases: [string, readonly Step[], Setting][] = [
    [
      'a change that a comparison read while the stream was down',
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
      'a change while contents are being compared',
      ['slow', 'cut', 'restore', 'cut', 'changeA', 'restore', 'answerOld', 'answerOld', 'quick'],
      {},
    ],
    [
      'a change before the session is lost while contents are being compared',
      ['slow', 'cut', 'changeA', 'changeB', 'restore', 'answerNew', 'loseSession', 'quick'],
      {},
    ],
    [
      'a change that a reader could not read because the session was lost',
      ['changeA', 'deliverAll', 'loseSession'],
      {},
    ],
    ['a change that was polled before the era changed', ['changeA', 'muchLater', 'otherEra'], { canSubscribe: false }],
    ['a change that only another client has read', ['changeA', 'readForAnother', 'muchLater'], { canSubscribe: false }],
    [
      'a change that is still in its window when the tracker is killed',
      ['commit', ...twoChanges, 'commit', 'kill'],
      {},
    ],
    ['a change that is still in its window when the tracker stops', ['commit', ...twoChanges, 'restart'], {}],
    ['a change that a read saw before the tracker stops', ['changeA', 'readForAnother', 'restart'], {}],
    ['a list change that is not in the archive', ['commit', 'vanish', 'deliver', 'commit', 'kill'], {}],
    ['a resource that leaves the list', ['vanish'], {}],
    ['a resource that leaves the list of a server that is not tracked', ['vanish'], { isTracked: false }],
    ['a resource that returns, and changes later', ['vanish', 'later', 'appear', 'later', 'changeA'], {}],
    ['a resource that is missing for a moment, and changes later', ['vanish', 'appear', 'later', 'changeA'], {}],
    [
      'a resource that returns in the modern era',
      ['otherEra', 'later', 'vanish', 'later', 'appear', 'later', 'changeA'],
      {},
    ],
    [
      'a resource that was missing for a moment while the stream was down, and changes later',
      ['cut', 'vanish', 'appear', 'restore', 'later', 'changeA'],
      {},
    ],
    [
      'a resource that was missing for a moment while another left, and changes later',
      ['vanish', 'vanishB', 'appear', 'later', 'changeA'],
      {},
    ],
    [
      'a resource that was missing while the stream was down and another left, and changes later',
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
      'a reported change that could not be read while this node became a follower',
      ['goAway', 'changeA', 'comeBack', 'later', 'goAway', 'giveUp', 'replace', 'act', 'muchLater', 'comeBack'],
      {},
    ],
    [
      'a change of a large resource that is watched while the server is unavailable',
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
      'a change before tracking was resumed, of a cacheable resource that cannot be compared',
      ['changeA', 'failReads', 'trackOn'],
      { isTracked: false, isWatched: false, ttlMs: 600_000 },
    ],
    [
      'a subscription that was acknowledged while the server was unavailable',
      ['goAway', 'restart', 'watchLate', 'changeA', 'comeBack'],
      { isTracked: false, isWatched: false },
    ],
    ['a server whose reads lag behind its notifications', ['later', 'lag', 'changeA', 'deliver', 'act', 'pause'], {}],
  ];
  it.each(cases)('%s', async (_, plan, setting) => {
    // The first contents have been read.
    expect(await staleAfter(['soon', 'soon', ...plan], setting)).toEqual([]);
  });
});

it('events pending in windows are reported when the tracker stops', async () => {
  const world = new World();
  world.start();
  await world.settle();
  for (const name of ['changeA', 'deliver', 'changeA', 'deliver'] as const) {
    steps[name](world);
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
    steps[name](world);
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
  // The server has sent nothing for a long time.
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
