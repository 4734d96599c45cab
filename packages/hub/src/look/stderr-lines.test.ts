import { describe, expect, it } from 'vitest';
import { StderrLines } from './stderr-lines.ts';

describe('the last lines of stderr', () => {
  it('are kept for each server, of its last process only', () => {
    const log = new StderrLines();
    log.info({ server: 'a', pid: 1, stderr: 'first start' });
    log.info({ server: 'a', pid: 2, stderr: 'second start' });
    log.info({ server: 'b', pid: 3, stderr: 'other' });
    log.info({ server: 'a', pid: 2, stderr: '  ' });
    log.info({ server: 'a', state: 'live' });
    expect(log.of('a')).toEqual(['second start']);
    expect(log.of('b')).toEqual(['other']);
    expect(log.of('c')).toEqual([]);
  });

  it('are those of an earlier process if the last one wrote nothing', () => {
    const log = new StderrLines();
    log.info({ server: 'a', pid: 1, stderr: 'the reason' });
    log.info({ server: 'a', pid: 2, stderr: '' });
    log.info({ server: 'a', pid: 2, state: 'stopped' });
    expect(log.of('a')).toEqual(['the reason']);
  });

  it('are at most twenty: a stack has ten, after its message', () => {
    const log = new StderrLines();
    for (let line = 1; line <= 50; line += 1) log.info({ server: 'a', pid: 1, stderr: `line ${line}` });
    expect(log.of('a')).toHaveLength(20);
    expect(log.of('a').at(-1)).toBe('line 50');
  });
});
