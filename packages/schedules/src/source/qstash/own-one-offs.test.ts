import { describe, expect, it } from 'vitest';
import type { OneOff } from '../../model/schedule.ts';
import { OwnOneOffs } from './own-one-offs.ts';

const dueMs = Date.parse('2030-01-01T00:00:00.000Z');
const hourMs = 3_600_000;
const oneOff = (id: string): OneOff => ({
  notification_id: id,
  notification_body: 'Tea',
  due: new Date(dueMs).toISOString(),
  status: 'pending',
});
const logged = (id: string) => ({ id, topic: 'a', oneOff: oneOff(id) });
const ids = (found: readonly { oneOff: OneOff }[]) => found.map((each) => each.oneOff.notification_id);

describe('OwnOneOffs', () => {
  it('adds a one-off that is not in the log yet, and not twice once it is', () => {
    const own = new OwnOneOffs();
    own.made('a', oneOff('new'));
    expect(ids(own.join([logged('old')], dueMs - hourMs))).toEqual(['old', 'new']);
    expect(ids(own.join([logged('old'), logged('new')], dueMs - hourMs))).toEqual(['old', 'new']);
  });

  it('omits delivered one-offs, and its own once they are due', () => {
    const own = new OwnOneOffs();
    own.made('a', oneOff('new'));
    expect(own.join([{ id: 'new', topic: 'a', oneOff: undefined }], dueMs - 1)).toEqual([]);
    expect(own.join([], dueMs)).toEqual([]);
  });

  it('omits a cancelled one-off as long as the log may lag behind', () => {
    const own = new OwnOneOffs();
    own.made('a', oneOff('mine'));
    own.cancelled('mine', dueMs - 3 * hourMs);
    own.cancelled('other', dueMs - 3 * hourMs);
    const log = [logged('mine'), logged('other')];
    expect(own.join(log, dueMs - 2 * hourMs - 1)).toEqual([]);
    expect(ids(own.join(log, dueMs - 2 * hourMs))).toEqual(['mine', 'other']);
  });
});
