import { FakeClock } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import type { UrlEntry } from '../config/config.ts';
import { Logins } from './logins.ts';
import { MemoryLoginStore } from './memory-login-store.ts';

/** Counts the watched logins. */
class WatchedStore extends MemoryLoginStore {
  readonly watched: string[] = [];

  override follow(key: string, listener: () => void): () => void {
    const unfollow = super.follow(key, listener);
    this.watched.push(key);
    return () => {
      this.watched.splice(this.watched.indexOf(key), 1);
      unfollow();
    };
  }
}

function entry(id: string, url: string): UrlEntry {
  return { id, url, headers: {}, enabled: true, trackResources: false };
}

it('logins of removed servers are no longer watched', () => {
  const store = new WatchedStore();
  const logins = new Logins({ store, fetch: () => Promise.reject(new Error('no network')), clock: new FakeClock() });
  const [one, same, two] = [
    entry('one', 'https://one.example/mcp'),
    entry('same', 'https://one.example/mcp'),
    entry('two', 'https://two.example/mcp'),
  ];
  const kept = logins.of(one);
  expect(logins.of(same)).toBe(kept);
  logins.of(two);
  expect(store.watched).toHaveLength(2);
  logins.keepOnly([same]);
  expect(store.watched).toEqual(['https://one.example/mcp']);
  expect(logins.of(one)).toBe(kept);
  logins.of(two);
  expect(store.watched).toHaveLength(2);
  logins.close();
  expect(store.watched).toEqual([]);
});
