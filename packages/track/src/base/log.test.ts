import { pino } from 'pino';
import { expect, it } from 'vitest';
import { callEach } from './log.ts';

it('gives a pino logger the reason why a listener failed, and calls the others', () => {
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });
  const told: string[] = [];
  const fails = () => {
    throw new TypeError('the disk is on fire');
  };
  callEach([fails, (uri: string) => void told.push(uri)], log, 'note://1');
  expect(told).toEqual(['note://1']);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ err: { type: 'TypeError', message: 'the disk is on fire' } });
});
