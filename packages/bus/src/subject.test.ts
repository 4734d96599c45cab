import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { manySubject, subjectOf } from './subject.ts';

describe('the subject of a topic', () => {
  it('is safe and short for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 5000 }), fc.string(), (topic, space) => {
        for (const subject of [subjectOf(space, topic), manySubject(space)]) {
          expect(subject).toMatch(/^tidings\.[\w-]{1,64}\.[\w-]{1,22}$/);
        }
      }),
    );
  });

  it('is the same for all spellings of a URI, and differs for different ones', () => {
    const same = ['note://Zürich', 'NOTE://Z%C3%BCrich', 'note://Zu\u0308rich/', 'note://z%c3%bcrich'];
    expect(new Set(same.map((topic) => subjectOf('s', topic))).size).toBe(1);
    const others = ['note://a', 'note://b', 'note://a.b', 'note://a/b', 'note://*', 'note://>', ''];
    expect(new Set(others.map((topic) => subjectOf('s', topic))).size).toBe(others.length);
    expect(subjectOf('one', 'a')).not.toBe(subjectOf('two', 'a'));
  });

  it('accepts malformed escapes', () => {
    expect(subjectOf('s', '100%')).not.toBe(subjectOf('s', '%E0%A4'));
  });
});
