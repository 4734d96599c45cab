// A QStash backend on a simulated account and a simulated clock.
import { FakeClock, eventually } from '@tidings/live/testing';
import {
  type QstashBackend,
  type QstashBackendOptions,
  openQstashBackend,
} from '../../packages/schedules/src/source/qstash/qstash-backend.ts';
import type { Push } from '../../packages/schedules/src/source/destination/destination.ts';
import type { FakeQstashAccount } from '../support/counterpart/fake-qstash-account.ts';
import { QstashServer, type QstashServerOptions } from '../support/counterpart/qstash-server.ts';

/** Unmistakable, so that tests can search messages and logs for them. */
export const qstashToken = 'qstash-token-5f2c9e';
export const ntfyToken = 'ntfy-token-81d07a';
export const ntfyUrl = 'https://ntfy.example';
export const pollMs = 15_000;

export interface Workbench extends AsyncDisposable {
  backend: QstashBackend;
  qstash: QstashServer;
  /** The content of the account; tests change it as another program would. */
  account: FakeQstashAccount;
  clock: FakeClock;
  /** Everything announced, in order. */
  announced: string[];
  /** Every line of the log, with its fields. */
  logged: string[];
  pushed: Push[];
  /**
   * How many polls were planned, and the random number that decides how early the next one comes.
   */
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
    // The history and the dead letters of a topic are always announced with it.
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

/** The error of a promise that must be rejected. */
export async function failureOf(promise: Promise<unknown>): Promise<{ code: string; message: string }> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return { code: String(error.code), message: error.message };
    throw error;
  }
  throw new Error('It did not fail.');
}

/** Runs `cause`, which triggers a read of QStash, and waits until the next poll is planned. */
export async function untilLooked<T>(bench: Workbench, cause: () => T | Promise<T>): Promise<T> {
  const planned = bench.polls.planned + 1;
  const result = await cause();
  await eventually('the look to be over', () => bench.polls.planned === planned);
  return result;
}

/** Watches as clients do: after a read, so that there is earlier content to compare with. */
export async function watching(bench: Workbench, topic: string): Promise<() => void> {
  await bench.backend.read(topic);
  return untilLooked(bench, () => bench.backend.watch(topic));
}

/** Advances the clock by one poll interval, and waits for the poll. */
export function nextPoll(bench: Workbench, ms = pollMs): Promise<void> {
  return untilLooked(bench, () => bench.clock.advance(ms));
}
