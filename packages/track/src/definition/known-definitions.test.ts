import { sortedJson } from '@tidings/live/portable';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DefinitionKind, DefinitionName } from './definition.ts';
import { type DefinitionMemory, type KnownDefinition, KnownDefinitions } from './known-definitions.ts';

/** The content of a database: the next run begins with it. */
class Memory implements DefinitionMemory {
  readonly remembered = new Map<DefinitionKind, Map<string, KnownDefinition>>();
  readonly sighted = (kind: DefinitionKind) => void this.remembered.set(kind, new Map());
  readonly remember = ({ kind, name }: DefinitionName, known: KnownDefinition) =>
    void this.remembered.get(kind)?.set(name, known);
  readonly forget = ({ kind, name }: DefinitionName) => void this.remembered.get(kind)?.delete(name);
}

const tools = (definitions: Record<string, string>) =>
  new Map(Object.entries(definitions).map(([name, description]) => [name, sortedJson({ name, description })]));
const tool = (name: string) => ({ kind: 'tool' as const, name });

describe('the definitions of a server', () => {
  it('are agreed to when first seen, even of a pinned server', () => {
    const known = new KnownDefinitions(new Memory());
    expect(known.see('tool', tools({ a: 'one' }), true)).toEqual([]);
    expect(known.isAgreed(tool('a'))).toBe(true);
    expect(known.see('tool', tools({ a: 'one' }), true)).toEqual([]);
  });

  it('that change or are added are reported, and offered at once if the server is not pinned', () => {
    const known = new KnownDefinitions(new Memory());
    known.see('tool', tools({ a: 'one' }), false);
    expect(known.see('tool', tools({ a: 'two', b: 'one' }), false)).toEqual([
      { ...tool('a'), held: false, changes: ['description'] },
      { ...tool('b'), held: false, changes: ['new'] },
    ]);
    expect(known.isAgreed(tool('a')) && known.isAgreed(tool('b'))).toBe(true);
    expect(known.held()).toEqual([]);
  });

  it('that change or are added are withheld if the server is pinned, until they are agreed to', () => {
    const known = new KnownDefinitions(new Memory());
    known.see('tool', tools({ a: 'one' }), true);
    expect(known.see('tool', tools({ a: 'two', b: 'one' }), true)).toEqual([
      { ...tool('a'), held: true, changes: ['description'] },
      { ...tool('b'), held: true, changes: ['new'] },
    ]);
    expect(known.isAgreed(tool('a')) || known.isAgreed(tool('b'))).toBe(false);
    const [a, b] = known.held();
    expect(a).toMatchObject({ agreed: sortedJson({ name: 'a', description: 'one' }), changes: ['description'] });
    expect(b).toMatchObject({ agreed: undefined, changes: ['new'] });
    expect(known.agree([{ ...tool('a'), hash: a?.hash ?? '' }])).toEqual([
      { ...tool('a'), held: false, changes: ['description'] },
    ]);
    expect(known.isAgreed(tool('a'))).toBe(true);
    expect(known.held().map(({ name }) => name)).toEqual(['b']);
  });

  it('are agreed to as shown, not as changed meanwhile', () => {
    const known = new KnownDefinitions(new Memory());
    known.see('tool', tools({ a: 'one', b: 'one' }), true);
    known.see('tool', tools({ a: 'two', b: 'two' }), true);
    const shown = known.held();
    known.see('tool', tools({ a: 'two', b: 'evil' }), true);
    expect(() => known.agree(shown)).toThrow('The tool "b" changed again since you looked');
    expect(known.heldCount).toBe(2);
    expect(() => known.agree([{ ...tool('c'), hash: '' }])).toThrow('there is nothing to agree to');
  });

  it('are offered again when they return to the agreed ones', () => {
    const known = new KnownDefinitions(new Memory());
    known.see('tool', tools({ a: 'one' }), true);
    known.see('tool', tools({ a: 'two' }), true);
    expect(known.see('tool', tools({ a: 'one' }), true)).toEqual([
      { ...tool('a'), held: false, changes: ['description'] },
    ]);
    expect(known.isAgreed(tool('a'))).toBe(true);
  });

  it('are compared with those from before they were removed', () => {
    const known = new KnownDefinitions(new Memory());
    known.see('tool', tools({ a: 'one', b: 'one' }), true);
    expect(known.see('tool', tools({ b: 'one' }), true)).toEqual([]);
    expect(known.see('tool', tools({ a: 'two', b: 'one' }), true)).toMatchObject([{ name: 'a', held: true }]);
  });

  it('are compared with those of an earlier run, and reported once', () => {
    const memory = new Memory();
    new KnownDefinitions(memory).see('tool', tools({ a: 'one' }), true);
    const second = new KnownDefinitions(memory);
    expect(second.see('tool', tools({ a: 'two' }), true)).toMatchObject([{ name: 'a', held: true }]);
    const third = new KnownDefinitions(memory);
    expect(third.see('tool', tools({ a: 'two' }), true)).toEqual([]);
    expect(third.held()).toMatchObject([{ name: 'a', changes: ['description'] }]);
  });

  it('that were withheld are offered once the pin is removed, in this run or the next', () => {
    const memory = new Memory();
    const known = new KnownDefinitions(memory);
    known.see('tool', tools({ a: 'one' }), true);
    known.see('tool', tools({ a: 'two' }), true);
    const next = new KnownDefinitions(structuredCloneOf(memory));
    expect(known.release()).toEqual([{ ...tool('a'), held: false, changes: ['description'] }]);
    expect(next.see('tool', tools({ a: 'two' }), false)).toEqual([
      { ...tool('a'), held: false, changes: ['description'] },
    ]);
    expect(known.isAgreed(tool('a')) && next.isAgreed(tool('a'))).toBe(true);
  });

  it('are separate by kind', () => {
    const known = new KnownDefinitions(new Memory());
    known.see('tool', tools({ a: 'one' }), true);
    expect(known.see('prompt', tools({ a: 'another' }), true)).toEqual([]);
    expect(known.see('prompt', tools({ a: 'another', b: 'x' }), true)).toMatchObject([{ kind: 'prompt', name: 'b' }]);
  });

  it('that are no longer listed are limited in number', () => {
    const memory = new Memory();
    const known = new KnownDefinitions(memory);
    known.see('tool', new Map(), true);
    for (let n = 0; n < 30; n += 1) {
      const names = Array.from({ length: 100 }, (_, i) => [`${n}-${i}`, 'x']);
      known.see('tool', tools(Object.fromEntries(names)), true);
    }
    expect(memory.remembered.get('tool')?.size).toBe(1100);
  });

  it('of a pinned server are offered only if they were there first or agreed to, in any order of events', () => {
    const list = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('one', 'two', 'three'));
    const step = fc.oneof(
      fc.record({ is: fc.constant('see' as const), list }),
      fc.record({ is: fc.constant('agree' as const), name: fc.constantFrom('a', 'b', 'c') }),
      fc.record({ is: fc.constant('restart' as const) }),
    );
    fc.assert(
      fc.property(list, fc.array(step, { maxLength: 20 }), (first, steps) => {
        const memory = new Memory();
        let known = new KnownDefinitions(memory);
        let now = first;
        known.see('tool', tools(now), true);
        const agreed = new Map(Object.entries(first));
        for (const each of steps) {
          if (each.is === 'restart') known = new KnownDefinitions(memory);
          if (each.is === 'see') now = each.list;
          known.see('tool', tools(now), true);
          if (each.is === 'agree') {
            known.agree(known.held().filter(({ name }) => name === each.name));
            const text = now[each.name];
            if (text !== undefined) agreed.set(each.name, text);
          }
          for (const [name, text] of Object.entries(now)) {
            expect(known.isAgreed(tool(name))).toBe(agreed.get(name) === text);
          }
        }
      }),
    );
  });
});

function structuredCloneOf({ remembered }: Memory): Memory {
  const copy = new Memory();
  for (const [kind, known] of remembered) copy.remembered.set(kind, new Map(known));
  return copy;
}
