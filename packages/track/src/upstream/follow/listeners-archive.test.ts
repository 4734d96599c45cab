// Listeners where contents cannot be compared, where tracking ends or resumes, and what is archived of a resource.
import { describe, expect, it } from 'vitest';
import { ResourceRecord } from '../../mirror/resource-record.ts';
import { following, pass, uri, windowMs } from '../../testing/listened-resource.ts';

const update = 'resource_update';

describe('resources that cannot be compared', () => {
  it('are one gap for the journal, and one update each for watchers', () => {
    const { listeners, record, made, types } = following({ remembered: { known: 'x', isListed: true } });
    const other = new ResourceRecord('note://b');
    const uncertain = new ResourceRecord('note://c');
    uncertain.isUncertain = true;
    const uncompared = [
      { record, hash: undefined, version: 0 },
      { record: other, hash: 'y', version: other.version + 1 },
    ];
    listeners.tellUncompared(uncompared, [uncertain]);
    expect([made.told, types()]).toEqual([[uri, 'note://b'], ['gap']]);
    expect([record.journal.known, other.journal.known, uncertain.isUncertain]).toEqual([null, null, false]);
  });

  it('are not told to watchers who hold what was found', () => {
    const { listeners, record, made } = following();
    record.watchers.tell('x');
    listeners.tellUncompared([{ record, hash: 'x', version: record.version }], []);
    expect([made.told, record.journal.known]).toEqual([[], 'x']);
  });

  it('are no gap if there are none, or if the server is not tracked', () => {
    const { listeners, record, types } = following();
    listeners.tellUncompared([], []);
    listeners.isTracked = false;
    listeners.tellUncompared([{ record, hash: undefined, version: 0 }], [record]);
    expect(types()).toEqual([]);
    expect(record.isUncertain).toBe(false);
  });
});

describe('tracking', () => {
  it('that ends announces pending events, and forgets what readers hold', () => {
    const { listeners, record, recorder, types } = following({ remembered: { known: 'x', isListed: true } });
    listeners.notify(record);
    listeners.notify(record);
    listeners.isTracked = false;
    expect(types()).toEqual([update, update]);
    expect(recorder.rows.get(uri)).toEqual({ known: null, isListed: true });
    listeners.notify(record);
    expect(types()).toHaveLength(2);
  });

  it('that ends leaves it unknown what readers hold', () => {
    const { listeners, record, recorder } = following({ remembered: { known: 'x', isListed: true } });
    listeners.isTracked = false;
    expect(record.journal.known).toBeNull();
    expect(recorder.rows.get(uri)).toEqual({ known: null, isListed: true });
  });

  it('that resumes is a gap, after which the resources are new to the journal', () => {
    const { listeners, record, recorder, types } = following({ remembered: { known: 'x', isListed: true } });
    record.isUncertain = true;
    listeners.resume();
    expect(types()).toEqual(['gap']);
    expect(record).toMatchObject({ isFresh: true, isUncertain: false, mayHaveBeenRead: true });
    expect(recorder.rows.get(uri)).toEqual({ known: undefined, isListed: true });
  });

  it('that stops announces pending events now, and nothing later', async () => {
    const { listeners, record, types, clock } = following();
    listeners.notify(record);
    listeners.notify(record);
    listeners.stop();
    expect(types()).toEqual([update, update]);
    await pass(clock, 10 * windowMs);
    expect(types()).toEqual([update, update]);
  });
});

it('a resource that is forgotten has no pending event any more', async () => {
  const { listeners, record, records, types, clock } = following();
  listeners.notify(record);
  listeners.notify(record);
  records.delete(uri);
  listeners.forget(record);
  await pass(clock, 10 * windowMs);
  expect(types()).toEqual([update]);
});

it('a resource that is forgotten confirms nothing any more', async () => {
  const { listeners, record, made, recorder, clock } = following();
  record.isListed = true;
  listeners.compare(record, 'x');
  listeners.forget(record);
  made.heardAt = clock.now() + 1;
  await pass(clock, 250);
  expect(recorder.rows.get(uri)).toEqual({ known: undefined, isListed: true });
});

it('the archive gets each state once, and none of a resource without events', () => {
  const { listeners, record, recorder } = following();
  const states: unknown[] = [];
  const { rows } = recorder;
  const set = rows.set.bind(rows);
  rows.set = (each, state) => {
    states.push(state);
    return set(each, state);
  };
  listeners.archive(record);
  record.isListed = true;
  listeners.archive(record);
  listeners.archive(record);
  record.isListed = false;
  listeners.archive(record);
  expect(states).toEqual([
    { known: undefined, isListed: true },
    { known: undefined, isListed: false },
  ]);
});
