import { describe, expect, it } from 'vitest';
import { longestName, passedName, passedNames } from './passed-name.ts';

const hostPrefix = 'mcp__tidings__';
const longest = longestName();

describe('the name of a tool at the common address', () => {
  it('is the name with its server in front', () => {
    expect(passedName('notes', 'put_note', longest)).toBe('notes_put_note');
  });

  it.each(['a'.repeat(200), 'find by name', 'files.read', 'grüßen', 'x'.repeat(49)])(
    'fits hosts with their prefix: %s',
    (name) => {
      const passed = passedName('a-server', name, longest);
      expect(`${hostPrefix}${passed}`).toMatch(/^[\w-]{1,64}$/);
      expect(passedName('a-server', name, longest)).toBe(passed);
    },
  );

  it('differs for names that differ only in the omitted part', () => {
    const one = passedName('s', `${'a'.repeat(90)}1`, longest);
    expect(passedName('s', `${'a'.repeat(90)}2`, longest)).not.toBe(one);
    expect(passedName('s', 'a b', longest)).not.toBe(passedName('s', 'a.b', longest));
  });

  it('never equals the name of a tool of the hub itself', () => {
    expect(passedName('list', 'changes', longest)).toMatch(/^list_changes_[0-9a-f]{8}$/);
    expect(passedName('wait_for', 'change', longest)).toMatch(/^wait_for_change_[0-9a-f]{8}$/);
  });

  it.each(['first', 'last'])('differs from the shortened name of a tool that is listed %s', (where) => {
    const short = passedName('s', 'a b', longest).slice('s_'.length);
    const passed = passedNames('s', where === 'first' ? ['a b', short, 'plain'] : ['plain', short, 'a b'], longest);
    expect(passed.get('a b')).toBe(`s_${short}`);
    expect(passed.get(short)).toMatch(new RegExp(`^s_${short}_[0-9a-f]{8}$`));
    expect(passed.get('plain')).toBe('s_plain');
  });

  it('may be longer if the prefix of the host is shorter', () => {
    expect(passedName('s', 'a'.repeat(60), longestName(''))).toHaveLength(62);
    expect(passedName('s', 'a'.repeat(60), longest).length).toBeLessThanOrEqual(50);
  });
});
