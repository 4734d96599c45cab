import { describe, expect, it } from 'vitest';
import { ListenerContent } from './listener-content.ts';

describe('the content of listeners', () => {
  it('is that of a read just before their notification, or unknown', () => {
    const content = new ListenerContent(undefined);
    content.tell('a');
    expect([content.known, content.mayHold('a'), content.mayHold('b')]).toEqual(['a', true, false]);
    content.tell();
    expect([content.known, content.mayHold('a')]).toEqual([null, false]);
  });

  it('is unknown before their first notification', () => {
    const content = new ListenerContent(undefined);
    expect(content.mayHold('a')).toBe(true);
    content.served('a');
    expect([content.mayHold('a'), content.mayHold('b')]).toEqual([true, false]);
  });

  it('is confirmed by a read that returns the content clients have got', () => {
    const content = new ListenerContent(null);
    content.served('a');
    expect(content.confirm('a')).toBe(true);
    expect(content.known).toBe('a');
    expect(content.confirm('a')).toBe(false);
  });

  it.each([
    ['two clients were given different contents', ['a', 'b']],
    ['a client was given something else', ['b']],
    ['a read of a client failed', ['a', undefined]],
  ])('is not confirmed if %s', (_, served) => {
    const content = new ListenerContent(null);
    for (const hash of served) content.served(hash);
    expect(content.confirm('a')).toBe(false);
    expect([content.known, content.mayHold('a')]).toEqual([null, false]);
  });

  it('is unknown after a client or a read got another content', () => {
    const [served, found] = [new ListenerContent('a'), new ListenerContent('a')];
    served.served('b');
    expect(served.known).toBeNull();
    expect(found.confirm('b')).toBe(false);
    expect(found.known).toBeNull();
    // Only another notification makes it known.
    expect(found.confirm('b')).toBe(false);
    found.tell('b');
    expect(found.known).toBe('b');
  });

  it('is unknown after a reset', () => {
    const content = new ListenerContent('a');
    content.lose();
    content.reset();
    expect([content.known, content.mayHold('b'), content.confirm('b')]).toEqual([undefined, true, true]);
  });
});
