import { expect, it } from 'vitest';
import { untilHolderIsLive } from './holder-status.ts';
import type { Holder } from './leases.ts';

class FakeHolders {
  readonly listeners = new Set<() => void>();
  #holder: Holder = { is: 'none' };

  holder(): Holder {
    return this.#holder;
  }

  follow(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The other node reports this state since that time. */
  says(state: string, since: string): void {
    const counts = { resources: 0, wanted: 0, subscribed: 0, polled: 0, hashed: 0, failures: 0, connects: 0, held: 0 };
    const flags = { enabled: true, tracked: true, pinned: false };
    const status = { id: 's', state, detail: '', since, era: 'modern', transport: 'http', node: 'other' };
    const detail = JSON.stringify({ ...status, ...counts, ...flags });
    this.#holder = { is: 'other', node: { id: 'other', url: 'http://other' }, detail };
    for (const listener of this.listeners) listener();
  }
}

async function waiting(holders: FakeHolders) {
  const stopping = new AbortController();
  let isBack = false;
  void untilHolderIsLive(holders, 's', stopping.signal).then(() => (isBack = true));
  const settled = async () => (await Promise.resolve(), isBack);
  return { stopping, settled };
}

it('resolves when the holder has connected', async () => {
  const holders = new FakeHolders();
  holders.says('connecting', '2026-01-01T00:00:00.000Z');
  const { settled } = await waiting(holders);
  holders.says('connecting', '2026-01-01T00:00:01.000Z');
  expect(await settled()).toBe(false);
  holders.says('live', '2026-01-01T00:00:02.000Z');
  expect(await settled()).toBe(true);
  expect(holders.listeners.size).toBe(0);
});

it('ignores earlier notes of the holder until it has connected again', async () => {
  const holders = new FakeHolders();
  holders.says('live', '2026-01-01T00:00:00.000Z');
  const { settled } = await waiting(holders);
  holders.says('live', '2026-01-01T00:00:00.000Z');
  expect(await settled()).toBe(false);
  holders.says('live', '2026-01-01T00:00:05.000Z');
  expect(await settled()).toBe(true);
});

it('stops polling when nothing waits for it', async () => {
  const holders = new FakeHolders();
  const { stopping } = await waiting(holders);
  stopping.abort();
  expect(holders.listeners.size).toBe(0);
});
