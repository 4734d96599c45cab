import { FakeClock } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { ListChanges } from './list-changes.ts';

describe('changes of a list', () => {
  it('that follow each other closely lead to one notification, and later ones to another', () => {
    const clock = new FakeClock();
    let told = 0;
    const changes = new ListChanges(clock, () => (told += 1));
    changes.changed();
    clock.advance(60);
    changes.changed();
    clock.advance(40);
    expect(told).toBe(1);
    clock.advance(1000);
    expect(told).toBe(1);
    changes.changed();
    clock.advance(100);
    expect(told).toBe(2);
  });

  it('do not postpone each other for ever', () => {
    const clock = new FakeClock();
    let told = 0;
    const changes = new ListChanges(clock, () => (told += 1));
    for (let n = 0; n < 20; n += 1) {
      changes.changed();
      clock.advance(50);
    }
    expect(told).toBe(10);
    changes.close();
    expect(clock.waiting).toBe(0);
  });
});
