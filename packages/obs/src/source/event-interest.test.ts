import { describe, expect, it } from 'vitest';
import { EventInterest, highVolume } from './event-interest.ts';

describe('the events of high volume', () => {
  it('are requested while they have subscribers, each kind separately', () => {
    const asked: number[] = [];
    const interest: EventInterest = new EventInterest(() => asked.push(interest.bits));
    const endMeters = interest.add(highVolume.meters);
    const endTransforms = interest.add(highVolume.transforms);
    endMeters();
    endTransforms();
    const { meters, transforms } = highVolume;
    expect(asked).toEqual([meters, meters | transforms, transforms, 0]);
  });

  it('are requested once for several subscribers, until the last one ends', () => {
    let changes = 0;
    const interest = new EventInterest(() => (changes += 1));
    const ends = [interest.add(highVolume.meters), interest.add(highVolume.meters)];
    ends[0]?.();
    ends[0]?.();
    expect([interest.bits, changes]).toEqual([highVolume.meters, 1]);
    ends[1]?.();
    expect([interest.bits, changes]).toEqual([0, 2]);
  });
});
