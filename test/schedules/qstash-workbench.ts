// A backend on a QStash account of the test's own, on a clock that the test moves.
import { FakeClock, eventually } from '@tidings/live/testing';
import {
  type QstashBackend,
  type QstashBackendOptions,
  openQstashBackend,
} from '../../packages/schedules/src/source/qstash/qstash-backend.ts';
import type { Push } from '../../packages/schedules/src/source/destination/destination.ts';
import type { FakeQstashAccount } from '../support/fake-qstash-account.ts';
import { QstashServer, type QstashServerOptions } from '../support/qstash-server.ts';

/** Told apart from everything else, so that a test can look for them where they must not be. */
export const qstashToken = 'qstash-token-5f2c9e';
export const ntfyToken = 'ntfy-token-81d07a';
export const ntfyUrl = 'https://ntfy.example';
export const pollMs = 15_000;

export interface Workbench extends AsyncDisposable {
  backend: QstashBackend;
  qstash: QstashServer;
  /** What is in QStash, to be changed as if elsewhere. */
  account: FakeQstashAccount;
  clock: FakeClock;
  /** Everything announced, in order. */
  announced: string[];
  /** Every line of the log, with its fields. */
  logged: string[];
  pushed: Push[];
  /** How often the next poll was put on the clock, and the chance that decided how early it comes. */
  polls: { planned: number; chance: number };
}

export interface WorkbenchOptions {
  backend?: Partial<QstashBackendOptions>;
  server?: Partial<QstashServerOptions>;
}

export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const clock = new FakeClock();
  clock.advance(Date.parse('2030-01-01T00:00:00Z'));
  const qstash = await QstashServer.start({ token: qstashToken, now: () => clock.date(), ...options.server });
  const [announced, logged, pushed]: [string[], string[], Push[]] = [[], [], []];
  const polls = { planned: 0, chance: 0 };
  const write = (fields: object, message: string) => logged.push(`${message} ${JSON.stringify(fields)}`);
  const backend = openQstashBackend({
    token: qstashToken,
    url: qstash.url,
    ntfyUrl,
    ntfy: { kind: 'ntfy', words: 'ntfy', send: async (push) => void pushed.push(push) },
    clock,
    log: { warn: write, error: write },
    random: () => {
      polls.planned += 1;
      return polls.chance;
    },
    ...options.backend,
  });
  backend.feed.follow({
    // The history and the dead letters of a topic are announced with it.
    change: ({ topics }) => announced.push(...topics.filter((each) => !/:(history|dead-letters)$/.test(each))),
    gap: () => announced.push('gap'),
  });
  const close = async () => {
    await backend.close();
    await qstash.close();
  };
  const { account } = qstash;
  return { backend, qstash, account, clock, announced, logged, pushed, polls, [Symbol.asyncDispose]: close };
}

/** The error of a promise that must fail. */
export async function failureOf(promise: Promise<unknown>): Promise<{ code: string; message: string }> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return { code: String(error.code), message: error.message };
    throw error;
  }
  throw new Error('It did not fail.');
}

/** Does something that causes a look, and waits until it is over: then the next poll is planned. */
export async function untilLooked<T>(bench: Workbench, cause: () => T | Promise<T>): Promise<T> {
  const planned = bench.polls.planned + 1;
  const result = await cause();
  await eventually('the look to be over', () => bench.polls.planned === planned);
  return result;
}

/** Begins to watch as clients do: after a read, so that there is something to compare with. */
export async function watching(bench: Workbench, topic: string): Promise<() => void> {
  await bench.backend.read(topic);
  return untilLooked(bench, () => bench.backend.watch(topic));
}

/** Lets the time of one poll pass, and the poll itself. */
export function nextPoll(bench: Workbench, ms = pollMs): Promise<void> {
  return untilLooked(bench, () => bench.clock.advance(ms));
}
