import type { TrackerEvent } from '@tidings/client/contract';
import { FakeClock } from '@tidings/live/testing';
import { TimeSlice } from '@tidings/live/time';
import type { JournalEntry, JournalPage } from '@tidings/track';
import { expect, it } from 'vitest';
import { ChangeWaits } from './change-waits.ts';
import { type PickEvent, changesSince } from './changes-since.ts';

/** Cursors are numbers: the count of events. */
class Events {
  readonly #entries: JournalEntry[] = [];
  readonly #listeners = new Set<() => void>();

  constructor(count: number) {
    for (let n = 0; n < count; n += 1) this.append(`note://${n}`);
  }

  get cursor(): string {
    return String(this.#entries.length);
  }

  append(resourceUri: string): void {
    const event = { type: 'resource_update' as const, serverId: 'notes', resourceUri, timestamp: '' };
    this.#entries.push({ cursor: String(this.#entries.length + 1), event, json: '' });
    for (const listener of this.#listeners) listener();
  }

  read({ after = '0', limit = 100 }: { after?: string | undefined; limit?: number }): JournalPage {
    const entries = this.#entries.slice(Number(after), Number(after) + limit);
    return { entries, hasGap: false, cursor: entries.at(-1)?.cursor ?? after };
  }

  follow(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** Runs all pending microtasks. */
async function microtasks(): Promise<void> {
  for (let n = 0; n < 50; n += 1) await Promise.resolve();
}

/** Examining an event takes a millisecond. */
function slowPick(clock: FakeClock) {
  const state = { looked: 0 };
  const pick = (event: TrackerEvent): TrackerEvent | undefined => {
    state.looked += 1;
    clock.advance(1);
    return 'resourceUri' in event && event.resourceUri === 'note://wanted' ? event : undefined;
  };
  return { state, pick: pick satisfies PickEvent };
}

it('searches through the whole journal let other events be handled, however many run at once', async () => {
  const clock = new FakeClock();
  const journal = new Events(5000);
  const slice = new TimeSlice(clock);
  const { state, pick } = slowPick(clock);
  const searches = Array.from({ length: 3 }, () => changesSince({ journal, slice }, undefined, pick));
  const ended = Promise.all(searches);
  const search = { isOver: false };
  void ended.then(() => (search.isOver = true));
  await microtasks();
  // One page of each.
  expect(state.looked).toBe(300);
  for (let before = state.looked; !search.isOver; before = state.looked) {
    clock.tick();
    await microtasks();
    expect(state.looked - before).toBeLessThanOrEqual(100);
  }
  expect(state.looked).toBe(15_000);
  expect(await ended).toMatchObject([{ events: [], has_more: false }, {}, {}]);
});

it('many waiting calls are examined in portions, and each is answered once', async () => {
  const clock = new FakeClock();
  const journal = new Events(0);
  const waits = new ChangeWaits(journal, clock, new TimeSlice(clock));
  const { state, pick } = slowPick(clock);
  const answers: string[] = [];
  for (let n = 0; n < 200; n += 1) {
    const call = {
      caller: { era: 'modern', transport: 'http' } as const,
      progress: () => undefined,
      answer: () => void answers.push(`answer ${n}`),
      fail: (error: unknown) => void answers.push(String(error)),
    };
    waits.begin(call, { seconds: 10_000, since: journal.cursor, pick, keep: async () => undefined });
  }
  await microtasks();
  journal.append('note://other');
  journal.append('note://wanted');
  await microtasks();
  expect(state.looked).toBeLessThanOrEqual(20);
  for (let turn = 0; turn < 200; turn += 1) {
    clock.tick();
    await microtasks();
  }
  expect(new Set(answers).size).toBe(200);
  expect(answers).toHaveLength(200);
});
