import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { noArguments, toolArguments } from './tool-arguments.ts';

const messagesOf = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ message }) => message) ?? [];

const named = toolArguments({ scene: z.string() });

describe('arguments of a tool', () => {
  it.each([
    [named, { scene: 'A', scenes: 1 }, 'There is no argument "scenes": did you mean "scene"?'],
    [named, { scene: 'A', volume: 1 }, 'There is no argument "volume": it takes scene.'],
    [named.extend({ visible: z.boolean() }), { scene: 'A', visible: true, visable: 1 }, 'did you mean "visible"?'],
    [named.partial(), { scen: 'A' }, 'did you mean "scene"?'],
    [noArguments, { scene: 'A' }, 'There is no argument "scene": this tool takes none.'],
  ])('that are unknown are refused with the most similar known one', (schema, value, message) => {
    expect(messagesOf(schema, value)).toEqual([expect.stringContaining(message)]);
  });

  it('are reported one by one', () => {
    const [message] = messagesOf(named, { scene: 'A', scenes: 1, volume: 2 });
    expect(message).toContain('"scenes"');
    expect(message).toContain('"volume"');
  });

  it('that are known but invalid are reported as usual', () => {
    expect(messagesOf(named, { scene: 1 })).toEqual(messagesOf(z.object({ scene: z.string() }), { scene: 1 }));
  });
});
