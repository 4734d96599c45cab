import { expect, test } from 'vitest';
import { logLine } from './log-line.ts';

const time = new Date(2026, 0, 2, 3, 4, 5).getTime();
const line = (fields: object) => logLine(`${JSON.stringify({ time, pid: 1, hostname: 'here', ...fields })}\n`);

test.each([
  ['a message', { level: 30, msg: 'Listening.' }, '03:04:05 info  Listening.\n'],
  [
    'a server and its reason first, then everything else',
    { level: 40, server: 'notes', detail: 'It ended.', failures: 2, msg: 'The server is away.' },
    '03:04:05 warn  notes: The server is away. It ended. failures=2\n',
  ],
  [
    'the message of an error',
    { level: 50, err: { type: 'Error', message: 'no room', stack: 'Error: no room\n    at x' }, msg: 'Not written.' },
    '03:04:05 error Not written. no room\n',
  ],
  [
    'lists and objects as JSON',
    { level: 30, servers: ['a', 'b'], msg: 'Ready.' },
    '03:04:05 info  Ready. servers=["a","b"]\n',
  ],
  ['control characters made visible', { level: 40, msg: 'a\u001b[2Jb\nc' }, '03:04:05 warn  a␛[2Jb c\n'],
])('a readable log line: %s', (_, fields, expected) => {
  expect(line(fields)).toBe(expected);
});

test('text that is not a log line is not changed', () => {
  expect(logLine('plain\n')).toBe('plain\n');
});
