import { describe, expect, it } from 'vitest';
import { screenOf } from './screen.ts';

const terminal = { isTTY: true, columns: 100 };
const red = '\u001B[31mtext\u001B[39m';

describe('the screen', () => {
  it.each([
    ['a terminal', terminal, {}, red],
    ['a pipe', {}, {}, 'text'],
    ['a terminal with NO_COLOR', terminal, { NO_COLOR: '1' }, 'text'],
    ['a terminal with an empty NO_COLOR', terminal, { NO_COLOR: '' }, red],
    ['a dumb terminal', terminal, { TERM: 'dumb' }, 'text'],
    ['a pipe with FORCE_COLOR', {}, { FORCE_COLOR: '1', NO_COLOR: '1' }, red],
    ['a terminal with FORCE_COLOR=0', terminal, { FORCE_COLOR: '0' }, 'text'],
  ])('has the colours of %s', (_, output, env, shown) => {
    const { style } = screenOf(output, env);
    expect(style('red', 'text')).toBe(shown);
    expect(style('red', '')).toBe('');
  });

  it('has the width of a terminal, and no width on a pipe', () => {
    expect(screenOf(terminal, {})).toMatchObject({ isTerminal: true, columns: 100 });
    expect(screenOf({ isTTY: true, columns: 0 }, {}).columns).toBe(80);
    expect(screenOf({}, {})).toMatchObject({ isTerminal: false, columns: Infinity });
  });
});
