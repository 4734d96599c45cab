import { describe, expect, it } from 'vitest';
import { screenOf } from '../terminal/screen.ts';
import type { Untimed } from './event.ts';
import { linesFor } from './report.ts';

const time = '2026-01-02T03:04:05.678Z';
const pipe = screenOf({}, {});
const detailsOf = (event: Untimed) =>
  linesFor({ time, ...event }, pipe).map((line) => line.replace(/^\d\d:\d\d:\d\d {2}/, ''));

describe('the lines of a watch', () => {
  it.each<[string, Untimed, string[]]>([
    [
      'what is watched',
      { type: 'watching', source: 'S', uris: ['a://1'] },
      ['watching 1 resource of S', '          a://1'],
    ],
    [
      'an empty list',
      { type: 'watching', source: 'S', uris: [] },
      ['watching the list of S', '          no resource to follow yet'],
    ],
    [
      'an outage',
      { type: 'lost', reason: 'gone', retryInMs: 500 },
      ['lost: trying again until it is back', '          gone'],
    ],
    ['a return', { type: 'back', source: 'S', uris: ['a://1', 'a://2'] }, ['back: watching 2 resources of S']],
    [
      'a change of the list',
      { type: 'list_changed', added: ['a://2'], removed: ['a://1'], whileAway: true },
      ['list (while away)', '          + a://2', '          - a://1'],
    ],
    [
      'an unreadable resource',
      { type: 'problem', uri: 'a://1', problem: 'unreadable', reason: 'no' },
      ['a://1: cannot be read now', '          no'],
    ],
    [
      'an unannounced resource',
      { type: 'problem', uri: 'a://1', problem: 'not_announced', reason: 'no' },
      ['a://1: changes are not announced', '          no'],
    ],
    [
      'JSON',
      {
        type: 'updated',
        uri: 'a://1',
        change: {
          kind: 'json',
          changes: [
            { path: 'n', op: 'changed', before: 1, after: 2 },
            { path: '', op: 'added', after: 'x' },
          ],
        },
      },
      ['a://1', '          n: 1 → 2', '          + all of it: "x"'],
    ],
    [
      'text',
      { type: 'updated', uri: 'a://1', change: { kind: 'text', lines: ['-old', '+new'] } },
      ['a://1', '          - old', '          + new'],
    ],
    [
      'nothing',
      { type: 'updated', uri: 'a://1', change: { kind: 'none' } },
      ['a://1', '          announced, with nothing changed'],
    ],
  ])('name %s', (_, event, lines) => {
    expect(detailsOf(event)).toEqual(lines);
  });

  it('are at most eight below a headline', () => {
    const uris = Array.from({ length: 20 }, (_, index) => `a://${index}`);
    const lines = detailsOf({ type: 'watching', source: 'S', uris });
    expect(lines).toHaveLength(9);
    expect(lines.at(-1)).toBe('          … and 13 more');
  });

  it('show control characters of servers, and are cut to the terminal', () => {
    const screen = screenOf({ isTTY: true, columns: 30 }, { NO_COLOR: '1' });
    const [headline = ''] = linesFor(
      { time, type: 'problem', uri: `a://\u001B]2;x${'y'.repeat(50)}`, problem: 'unreadable', reason: '' },
      screen,
    );
    expect(headline).toContain('␛]2;x');
    expect(headline).toHaveLength(30);
  });
});
