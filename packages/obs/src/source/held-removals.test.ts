import { FakeClock } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { type ObsEvent, parseEvent } from '../model/event.ts';
import { HeldRemovals } from './held-removals.ts';

function setup() {
  const clock = new FakeClock();
  const applied: string[][] = [];
  let givenUp = 0;
  const held = new HeldRemovals(clock, {
    apply: (events) => applied.push(events.map(({ type }) => type)),
    giveUp: () => (givenUp += 1),
  });
  return { clock, held, applied, givenUp: () => givenUp };
}

function event(...[type, data]: Parameters<typeof parseEvent>): ObsEvent {
  const parsed = parseEvent(type, data);
  if (parsed === undefined) throw new Error(`${type} could not be parsed.`);
  return parsed;
}

const scenes = ['Gaming', 'Chat'];
const removed = event('SceneRemoved', { sceneName: 'Chat', isGroup: false });
const listed = (...names: string[]) =>
  event('SceneListChanged', { scenes: names.map((sceneName, sceneIndex) => ({ sceneName, sceneIndex })) });
const muted = event('InputMuteStateChanged', { inputName: 'Mic', inputMuted: true });
const inputRemoved = event('InputRemoved', { inputName: 'Mic' });

describe('a removal that may be the beginning of an exit of OBS', () => {
  it('is applied when the next list of scenes lacks the scene', () => {
    const s = setup();
    expect([removed, muted, listed('Gaming')].map((each) => s.held.takes(each, scenes))).toEqual([true, true, true]);
    expect(s.applied).toEqual([['SceneRemoved', 'InputMuteStateChanged', 'SceneListChanged']]);
    expect([s.held.isActive, s.clock.waiting]).toEqual([false, 0]);
  });

  it('is not applied when that list still has the scene, and dropped after a second', () => {
    const s = setup();
    s.held.takes(removed, scenes);
    s.held.takes(listed('Gaming', 'Chat'), scenes);
    s.clock.advance(999);
    expect([s.held.isActive, s.givenUp()]).toEqual([true, 0]);
    s.clock.advance(1);
    expect([s.applied, s.givenUp()]).toEqual([[], 1]);
  });

  it('of an input is applied when no removal of a scene follows shortly', () => {
    const s = setup();
    s.held.takes(inputRemoved, scenes);
    s.clock.advance(250);
    expect(s.applied).toEqual([['InputRemoved']]);
  });

  it('of an input waits for the removal of its scene', () => {
    const s = setup();
    s.held.takes(inputRemoved, scenes);
    s.held.takes(removed, scenes);
    s.clock.advance(250);
    expect(s.applied).toEqual([]);
    s.held.takes(listed('Gaming'), scenes);
    expect(s.applied).toEqual([['InputRemoved', 'SceneRemoved', 'SceneListChanged']]);
  });

  it('delays no other events, and none of other canvases', () => {
    const s = setup();
    expect(s.held.takes(muted, scenes)).toBe(false);
    expect(s.held.takes(event('SceneRemoved', { sceneName: 'Elsewhere', isGroup: false }), scenes)).toBe(false);
  });

  it('is dropped when cleared, as after the exit', () => {
    const s = setup();
    s.held.takes(removed, scenes);
    s.held.clear();
    s.clock.advance(5000);
    expect([s.applied, s.givenUp(), s.clock.waiting]).toEqual([[], 0, 0]);
  });
});
