import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Observable } from './observable.ts';

class Counter extends Observable {
  add(): void {
    this.changed();
  }
}

let frames: (() => void)[];
beforeEach(() => {
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => frames.push(draw));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('an observable', () => {
  it('calls its watchers once per frame, after any number of changes', () => {
    const counter = new Counter();
    const calls: string[] = [];
    counter.watch(() => calls.push('a'));
    counter.watch(() => calls.push('b'));
    counter.add();
    counter.add();
    expect([frames.length, calls]).toEqual([1, []]);
    frames[0]?.();
    expect(calls).toEqual(['a', 'b']);
    counter.add();
    expect(frames.length).toBe(2);
  });

  it('does not call a watcher that has left', () => {
    const counter = new Counter();
    let calls = 0;
    const leave = counter.watch(() => (calls += 1));
    counter.add();
    leave();
    frames[0]?.();
    expect(calls).toBe(0);
  });
});
