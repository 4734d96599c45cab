import { describe, expect, it } from 'vitest';
import type { OneOff, TopicContent } from '../../model/schedule.ts';
import { ContentSnapshot } from './content-snapshot.ts';

const oneOff = (text: string): OneOff => ({
  notification_id: 'msg_1',
  notification_body: text,
  due: '2030-01-01T00:00:00.000Z',
  status: 'pending',
});
const content = (topic: string, text = 'Tea'): TopicContent => ({ topic, schedules: [], pending: [oneOff(text)] });

describe('ContentSnapshot', () => {
  it('reports watched topics at the first poll, since earlier content is unknown', () => {
    const snapshot = new ContentSnapshot();
    expect(snapshot.compare([content('a'), content('b')], ['a', 'unused'])).toEqual({
      topics: ['a', 'unused'],
      hasNewList: false,
    });
  });

  it('reports changed, new and removed topics at later polls', () => {
    const snapshot = new ContentSnapshot();
    snapshot.compare([content('a'), content('b'), content('c')], []);
    expect(snapshot.compare([content('a'), content('b', 'Coffee'), content('d')], [])).toEqual({
      topics: ['d', 'b', 'c'],
      hasNewList: true,
    });
    expect(snapshot.compare([content('a'), content('b', 'Milk'), content('d')], [])).toEqual({
      topics: ['b'],
      hasNewList: false,
    });
    expect(snapshot.compare([content('a'), content('b', 'Milk'), content('d')], [])).toEqual({
      topics: [],
      hasNewList: false,
    });
  });

  it('reports a change of its own process at once, and not again at the next poll', () => {
    const snapshot = new ContentSnapshot();
    snapshot.compare([content('a')], []);
    expect(snapshot.changed('a')).toEqual({ topics: ['a'], hasNewList: false });
    expect(snapshot.changed('b')).toEqual({ topics: ['b'], hasNewList: true });
    expect(snapshot.compare([content('a', 'Coffee'), content('b')], [])).toEqual({ topics: [], hasNewList: false });
    expect(snapshot.compare([content('a', 'Milk'), content('b')], [])).toMatchObject({ topics: ['a'] });
  });

  it('reports the removal of a topic from before the first poll', () => {
    const snapshot = new ContentSnapshot();
    snapshot.noteTopic('a');
    expect(snapshot.compare([], [])).toEqual({ topics: ['a'], hasNewList: true });
  });
});
