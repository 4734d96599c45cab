import { describe, expect, it } from 'vitest';
import { following, pass, uri, windowMs } from '../../testing/listened-resource.ts';

const update = 'resource_update';

describe('a notification', () => {
  it('tells watchers and the journal at once, and has the content read', () => {
    const { listeners, record, made, recorder } = following();
    listeners.notify(record);
    expect(made).toMatchObject({ told: [uri], soon: 1 });
    expect(recorder.events).toEqual([{ type: update, serverId: 's', resourceUri: uri }]);
    expect(recorder.rows.get(uri)).toEqual({ known: null, isListed: false });
  });

  it('tells watchers only, if the server is not tracked', () => {
    const { listeners, record, made, recorder } = following({ isTracked: false });
    listeners.notify(record);
    expect(made).toMatchObject({ told: [uri], soon: 0 });
    expect([recorder.events, recorder.rows.size]).toEqual([[], 0]);
  });

  it('within the window tells watchers at once, and the journal at its end', async () => {
    const { listeners, record, made, types, clock } = following();
    for (const _ of [1, 2, 3]) listeners.notify(record);
    expect([made.told.length, types(), record.isPending]).toEqual([3, [update], true]);
    await pass(clock, windowMs - 1);
    expect(types()).toEqual([update]);
    await pass(clock, 1);
    expect([types(), record.isPending]).toEqual([[update, update], false]);
  });

  it('is measured from its receipt to its event, and counted if it makes none of its own', async () => {
    const { listeners, record, telemetry, clock } = following();
    for (const _ of [1, 2, 3]) listeners.notify(record);
    await pass(clock, windowMs);
    const text = await telemetry.registry.metrics();
    expect(text).toContain('tidings_announce_seconds_sum{server="s",edge="leading"} 0');
    expect(text).toContain('tidings_announce_seconds_sum{server="s",edge="trailing"} 2');
    expect(text).toContain('tidings_duplicates_merged_total{server="s"} 2');
  });

  it('after the window is told at once again', async () => {
    const { listeners, record, types, clock } = following();
    listeners.notify(record);
    await pass(clock, windowMs);
    expect(types()).toEqual([update]);
    listeners.notify(record);
    expect(types()).toEqual([update, update]);
  });

  it.each([
    ['the same content', 'x', 'x', 1],
    ['other content', 'x', 'y', 2],
    ['nothing', 'x', undefined, 2],
    ['the first content', undefined, 'x', 2],
  ])('that repeats another one is withheld if a read finds the same content: %s', async (_, before, after, events) => {
    const { listeners, record, made, types, clock } = following();
    listeners.notify(record);
    await pass(clock, 500);
    if (before !== undefined) record.lastRead = { hash: before, since: 0 };
    listeners.notify(record);
    made.found = after;
    await pass(clock, windowMs);
    expect([types().length, record.isPending]).toEqual([events, false]);
  });

  it('is not withheld after a read so short before that it may have found the change', async () => {
    for (const [since, events] of [
      [400, 1],
      [401, 2],
    ] as const) {
      const { listeners, record, made, types, clock } = following();
      listeners.notify(record);
      await pass(clock, 500);
      record.lastRead = { hash: 'x', since };
      listeners.notify(record);
      made.found = 'x';
      await pass(clock, windowMs);
      expect(types().length, `since ${since}`).toBe(events);
    }
  });

  it('is not withheld if a client has read something else meanwhile', async () => {
    const { listeners, record, made, types, clock } = following();
    listeners.notify(record);
    listeners.served(record, 'other');
    await pass(clock, 500);
    record.lastRead = { hash: 'x', since: 0 };
    listeners.notify(record);
    made.found = 'x';
    await pass(clock, windowMs);
    expect(types()).toEqual([update, update]);
  });
});

describe('a content that was read', () => {
  it('tells those who hold another one, once', () => {
    const { listeners, record, made, types } = following({ remembered: { known: 'x', isListed: true } });
    record.watchers.tell('x');
    expect(listeners.hold(record, 'x')).toBe(true);
    expect(listeners.compare(record, 'x')).toBe(false);
    expect([made.told, types()]).toEqual([[], []]);
    expect(listeners.hold(record, 'y')).toBe(false);
    expect(listeners.compare(record, 'y')).toBe(true);
    expect(listeners.compare(record, 'y')).toBe(false);
    expect([made.told, types()]).toEqual([[uri], [update]]);
  });

  it('tells the journal alone, if only its readers hold another one', () => {
    const { listeners, record, made, types } = following({ remembered: { known: 'x', isListed: true } });
    record.watchers.tell('y');
    expect(listeners.compare(record, 'y')).toBe(true);
    expect([made.told, types()]).toEqual([[], [update]]);
  });

  it('within a window is told at its end, and never withheld', async () => {
    const { listeners, record, made, types, clock } = following();
    listeners.notify(record);
    record.lastRead = { hash: 'y', since: -1000 };
    listeners.compare(record, 'y');
    expect([types(), record.isPending]).toEqual([[update], true]);
    made.found = 'y';
    await pass(clock, windowMs);
    expect(types()).toEqual([update, update]);
  });

  it('that a client has read makes it uncertain what others hold', () => {
    const { listeners, record } = following({ remembered: { known: 'x', isListed: true } });
    record.watchers.tell('x');
    listeners.served(record, 'y');
    expect([record.watchers.known, record.journal.known]).toEqual([null, null]);
    expect(listeners.hold(record, 'x')).toBe(false);
  });

  it('of a fresh resource is not told, and is what readers hold once the server was heard again', async () => {
    const { listeners, record, made, recorder, types, clock } = following();
    record.isListed = true;
    expect(listeners.compare(record, 'x')).toBe(false);
    expect(types()).toEqual([]);
    expect(recorder.rows.get(uri)).toEqual({ known: undefined, isListed: true });
    made.heardAt = clock.now() + 1;
    await pass(clock, 250);
    expect(recorder.rows.get(uri)).toEqual({ known: 'x', isListed: true });
  });

  it('is not certain to be what readers hold, if the server may have been silent', async () => {
    const { listeners, record, recorder, clock } = following();
    record.isListed = true;
    listeners.compare(record, 'x');
    listeners.doubt(record);
    await pass(clock, 120_000);
    expect(recorder.rows.get(uri)).toEqual({ known: undefined, isListed: true });
    expect(record.isUncertain).toBe(true);
  });

  it('confirms nothing while an event is pending', () => {
    const { listeners, record } = following();
    listeners.notify(record);
    listeners.notify(record);
    listeners.confirm(record, 'x');
    expect([record.watchers.known, record.journal.known]).toEqual(['x', null]);
  });
});

it('a resource is unknown only if it was followed before, and its readers were never told', () => {
  const { listeners, record } = following();
  expect(listeners.isUnknown(record)).toBe(false);
  record.isFresh = false;
  expect(listeners.isUnknown(record)).toBe(true);
  listeners.isTracked = false;
  expect(listeners.isUnknown(record)).toBe(false);
  listeners.isTracked = true;
  listeners.notify(record);
  expect(listeners.isUnknown(record)).toBe(false);
});

it('a notification during a comparison makes a pending event certain', async () => {
  const { listeners, record, made, types, clock } = following();
  listeners.notify(record);
  record.lastRead = { hash: 'x', since: -1000 };
  listeners.notify(record);
  listeners.overtaken(record);
  made.found = 'x';
  await pass(clock, windowMs);
  expect(types()).toEqual([update, update]);
});
