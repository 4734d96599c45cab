import { refusalOf } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { checkLabel } from './label.ts';
import { checkMessage } from './message.ts';
import { checkTopic, isTopic } from './topic.ts';

describe('a topic', () => {
  it.each(['a', '0', 'team-alerts', 'my-2nd-topic', 'x'.repeat(64)])('may be %s', (topic) => {
    expect(checkTopic(topic)).toBe(topic);
    expect(isTopic(topic)).toBe(true);
  });

  it.each(['', 'Team', 'a_b', '-a', 'a-', 'a--b', 'a b', 'a\n', 'é', 'a/b', 'x'.repeat(65)])(
    'may not be %j',
    (topic) => {
      expect(isTopic(topic)).toBe(false);
      expect(refusalOf(() => checkTopic(topic))).toMatch(/Example: "team-alerts"\.$/);
    },
  );

  it('is refused with its length if it is too long', () => {
    expect(refusalOf(() => checkTopic('x'.repeat(65)))).toContain('has 65 characters, and a topic has at most 64');
  });
});

describe('a message', () => {
  it.each(['x', ' padded ', 'two\nlines', '🙂', 'x'.repeat(4096), '🙂'.repeat(1024)])('may be %j', (message) => {
    expect(checkMessage(message)).toBe(message);
  });

  it.each([
    ['', 'is empty'],
    [' \n\t', 'is empty'],
    ['x'.repeat(4097), 'has 4097 bytes, and at most 4096'],
    ['🙂'.repeat(1025), 'has 4100 bytes'],
    ['a\0b', 'NUL'],
    ['a\ud800b', 'surrogate'],
  ])('may not be %j', (message, problem) => {
    expect(refusalOf(() => checkMessage(message))).toMatch(new RegExp(`${problem}.*Example: "Stand-up`));
  });
});

describe('a label', () => {
  it.each(['a', 'Daily.report_v2-x', 'x'.repeat(64)])('may be %s', (label) => {
    expect(checkLabel(label)).toBe(label);
  });

  it.each(['', 'a b', 'a/b', 'ä', 'a\n', 'x'.repeat(65)])('may not be %j', (label) => {
    expect(refusalOf(() => checkLabel(label))).toMatch(/label.*Example: "daily-report\.v2"\.$/);
  });
});
