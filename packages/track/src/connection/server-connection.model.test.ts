// The table of states under every order of events: open sessions always match the state.
import { FakeClock } from '@tidings/live/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ServerConnection } from './server-connection.ts';
import { fakeSession } from '../testing/fake-session.ts';
import type { Session, SessionEvents } from './session/session.ts';
import { type Event, type State, step, transitions } from './states.ts';

interface Attempt {
  events: SessionEvents;
  succeed(): void;
  fail(): void;
  isSettled: boolean;
  isClosed: boolean;
}

/** A server that connects, fails and dies when the test says so. */
class World {
  readonly clock = new FakeClock();
  readonly attempts: Attempt[] = [];
  readonly told: string[] = [];
  readonly handshakes: (number | undefined)[] = [];
  /** Reports that the server is reachable again, while the connection waits for that. */
  comeBack: () => void = () => undefined;
  readonly connection: ServerConnection;

  constructor() {
    this.connection = new ServerConnection({
      loginAdvice: () => 'Log in.',
      clock: this.clock,
      random: () => 0.5,
      open: (_signal, events, { handshakeMs }) => {
        this.handshakes.push(handshakeMs);
        return this.#open(events);
      },
      untilBack: () => new Promise((resolve) => (this.comeBack = resolve)),
      listener: {
        opened: () => undefined,
        closed: () => undefined,
        stateChanged: (state) => void this.told.push(state),
        updated: (uri) => this.told.push(uri) > 0,
        listChanged: () => undefined,
        gap: () => undefined,
        deliveryChanged: () => undefined,
        troubleChanged: () => undefined,
      },
    });
  }

  get open(): Attempt[] {
    return this.attempts.filter(({ isSettled, isClosed }) => isSettled && !isClosed);
  }

  get pending(): Attempt | undefined {
    return this.attempts.findLast(({ isSettled }) => !isSettled);
  }

  #open(events: SessionEvents): Promise<Session> {
    return new Promise((resolve, reject) => {
      const attempt: Attempt = {
        events,
        isSettled: false,
        isClosed: false,
        succeed: () => {
          attempt.isSettled = true;
          resolve(fakeSession(() => void (attempt.isClosed = true)));
        },
        fail: () => {
          attempt.isSettled = true;
          attempt.isClosed = true;
          reject(new Error('refused'));
        },
      };
      this.attempts.push(attempt);
    });
  }
}

const wishes = ['enable', 'disable', 'restart', 'synced', 'refused', 'stop'] as const satisfies readonly Event[];
const deeds = [...wishes, 'succeed', 'fail', 'die', 'wait', 'return', 'late'] as const;

async function settle(): Promise<void> {
  for (let n = 0; n < 20; n += 1) await Promise.resolve();
}

async function act(world: World, deed: (typeof deeds)[number]): Promise<void> {
  if (deed === 'succeed') world.pending?.succeed();
  else if (deed === 'fail') world.pending?.fail();
  else if (deed === 'die') world.open.at(-1)?.events.lost('It died.');
  else if (deed === 'wait') world.clock.advance(31_000);
  else if (deed === 'return') world.comeBack();
  else if (deed === 'late')
    for (const { events } of world.attempts.slice(0, -1)) events.updated('from an earlier life');
  else world.connection.send(deed);
  await settle();
}

describe('the connection', () => {
  it('has the sessions and timers of its state, in every order of events', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...deeds), { maxLength: 60 }), async (plan) => {
        const world = new World();
        let wasStopped = false;
        for (const deed of plan) {
          await act(world, deed);
          const { state, session } = world.connection;
          wasStopped ||= deed === 'stop';
          if (wasStopped) expect(state).toBe('stopped');
          // Never two at once, and none in states without a session.
          expect(world.open.length).toBeLessThanOrEqual(1);
          if (state === 'live' || state === 'unsupported') expect(session).toBeDefined();
          if (state === 'disabled' || state === 'stopped' || state === 'backoff') {
            expect(session).toBeUndefined();
            expect(world.open).toEqual([]);
          }
          // Only the waiting state has a timer.
          if (state === 'backoff') expect(world.clock.waiting).toBe(1);
          if (state === 'disabled' || state === 'stopped') expect(world.clock.waiting).toBe(0);
          expect(world.told).not.toContain('from an earlier life');
        }
        // In the end it is connected again, or it was stopped.
        await act(world, 'enable');
        for (let n = 0; n < 3; n += 1)
          for (const deed of ['wait', 'succeed', 'synced'] as const) await act(world, deed);
        expect(['live', 'unsupported', 'stopped']).toContain(world.connection.state);
        expect(world.connection.state === 'stopped').toBe(wasStopped);
      }),
      { numRuns: 300 },
    );
  });

  it('waits from half a second to half a minute, and starts again after fifteen stable seconds', async () => {
    const world = new World();
    world.connection.send('enable');
    await settle();
    const waits: number[] = [];
    for (let n = 0; n < 12; n += 1) {
      await act(world, 'fail');
      const before = world.clock.now();
      while (world.pending === undefined) {
        world.clock.advance(50);
        await settle();
      }
      waits.push(world.clock.now() - before);
    }
    expect(waits[0]).toBe(500);
    expect(waits.at(-1)).toBeLessThanOrEqual(30_000);
    expect(waits.at(-1)).toBeGreaterThan(20_000);
    expect(world.connection.failures).toBe(12);
    await act(world, 'succeed');
    await act(world, 'synced');
    world.clock.advance(14_000);
    expect(world.connection.failures).toBe(12);
    world.clock.advance(1000);
    expect(world.connection.failures).toBe(0);
  });

  it('waits two seconds at most for a server that was live two minutes ago, and not long for its responses', async () => {
    const world = new World();
    for (const deed of ['enable', 'succeed', 'synced'] as const) await act(world, deed);
    world.clock.advance(3_600_000);
    await act(world, 'die');
    const lostAt = world.clock.now();
    const waits = new Map<number, number>();
    while (world.clock.now() < lostAt + 200_000) {
      const before = world.clock.now();
      while (world.pending === undefined) {
        world.clock.advance(50);
        await settle();
      }
      waits.set(before - lostAt, world.clock.now() - before);
      await act(world, 'fail');
    }
    for (const [at, wait] of waits) if (at < 120_000) expect(wait).toBeLessThanOrEqual(2050);
    expect(Math.max(...waits.values())).toBeGreaterThan(20_000);
    expect(world.handshakes.slice(0, 8)).toEqual([undefined, 3000, 3000, 3000, 3000, 3000, 6000, 12_000]);
    expect(world.handshakes.at(-1)).toBeUndefined();
  });

  it('tries at once, and only once, when the server is reachable again', async () => {
    const world = new World();
    await act(world, 'enable');
    for (let n = 0; n < 6; n += 1) {
      await act(world, 'fail');
      await act(world, 'wait');
    }
    await act(world, 'fail');
    const before = world.attempts.length;
    await act(world, 'return');
    expect(world.attempts).toHaveLength(before + 1);
    await act(world, 'succeed');
    await act(world, 'return');
    expect(world.attempts).toHaveLength(before + 1);
    expect(world.connection.session).toBeDefined();
  });

  it('opens a session only after the previous one has ended', async () => {
    const world = new World();
    await act(world, 'enable');
    await act(world, 'restart');
    // The first attempt is still under way, and may have started a process.
    expect(world.attempts).toHaveLength(1);
    world.attempts[0]?.succeed();
    await settle();
    expect(world.attempts[0]?.isClosed).toBe(true);
    expect(world.attempts).toHaveLength(2);
  });
});

describe('the table', () => {
  const states = Object.keys(transitions).filter((name): name is State => name in transitions);

  it('reaches every state, and each state except the last has a way back', () => {
    for (const from of states) {
      const reached = new Set<State>([from]);
      for (const state of reached) {
        for (const next of Object.values(transitions[state])) if (next !== 'stay') reached.add(next);
      }
      expect([...reached].sort()).toEqual(from === 'stopped' ? ['stopped'] : [...states].sort());
    }
  });

  it('closes before it opens, and has no effect in `stay`', () => {
    expect(step('live', 'restart')).toEqual({ state: 'opening', close: true, open: true, wait: false });
    expect(step('backoff', 'retry')).toEqual({ state: 'opening', close: false, open: true, wait: false });
    expect(step('live', 'lost')).toEqual({ state: 'backoff', close: true, open: false, wait: true });
    expect(step('stopped', 'enable')).toBeUndefined();
  });
});
