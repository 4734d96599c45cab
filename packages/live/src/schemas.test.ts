// Tools and prompts take schemas of any library with Standard Schema and its JSON Schema part.
import { Client } from '@modelcontextprotocol/client';
import { fromJsonSchema } from '@modelcontextprotocol/server';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import * as zm from 'zod/mini';
import { type LiveServer, liveServer } from './live-server.ts';
import { serveMemory } from './serve/memory.ts';

const silentLog = { warn: () => undefined, error: () => undefined };
const create = () => liveServer({ name: 'schemas', version: '1.0.0', log: silentLog });

/** The same tool and prompt under each library; `days` is a text for clients and a number for the handler. */
const libraries: Record<string, (server: LiveServer) => void> = {
  zod(server) {
    const input = z.object({ city: z.string().min(1), days: z.string().transform(Number).optional() });
    const output = z.object({ sum: z.number() });
    server.tool('forecast', { input, output }, (args) => {
      expectTypeOf(args).toEqualTypeOf<{ city: string; days?: number | undefined }>();
      return { sum: args.city.length + (args.days ?? 0) };
    });
    const args = z.object({ city: z.string().describe('Where') });
    server.prompt('ask', { args, complete: { city: () => ['Oslo'] } }, ({ city }) => `Weather in ${city}?`);
  },
  valibot(server) {
    const input = v.object({
      city: v.pipe(v.string(), v.minLength(1)),
      days: v.optional(v.pipe(v.string(), v.toNumber())),
    });
    const output = v.object({ sum: v.number() });
    server.tool('forecast', { input: toStandardJsonSchema(input), output: toStandardJsonSchema(output) }, (args) => {
      expectTypeOf(args).toEqualTypeOf<{ city: string; days?: number | undefined }>();
      return { sum: args.city.length + (args.days ?? 0) };
    });
    const args = toStandardJsonSchema(v.object({ city: v.pipe(v.string(), v.description('Where')) }));
    server.prompt('ask', { args, complete: { city: () => ['Oslo'] } }, ({ city }) => `Weather in ${city}?`);
  },
  arktype(server) {
    const input = type({ city: 'string > 0', 'days?': 'string.numeric.parse' });
    const output = type({ sum: 'number' });
    server.tool('forecast', { input, output }, (args) => {
      expectTypeOf(args).toEqualTypeOf<{ city: string; days?: number }>();
      return { sum: args.city.length + (args.days ?? 0) };
    });
    const args = type({ city: type.string.describe('Where') });
    server.prompt('ask', { args, complete: { city: () => ['Oslo'] } }, ({ city }) => `Weather in ${city}?`);
  },
  'JSON Schema'(server) {
    const text = { type: 'string' } as const;
    const input = fromJsonSchema<{ city: string; days?: string }>({
      type: 'object',
      properties: { city: { ...text, minLength: 1 }, days: text },
      required: ['city'],
    });
    const output = fromJsonSchema<{ sum: number }>({
      type: 'object',
      properties: { sum: { type: 'number' } },
      required: ['sum'],
    });
    server.tool('forecast', { input, output }, (args) => ({ sum: args.city.length + Number(args.days ?? 0) }));
    const args = fromJsonSchema<{ city: string }>({
      type: 'object',
      properties: { city: { ...text, description: 'Where' } },
      required: ['city'],
    });
    server.prompt('ask', { args, complete: { city: () => ['Oslo'] } }, ({ city }) => `Weather in ${city}?`);
  },
};

describe.each(Object.entries(libraries))('with %s', (_name, define) => {
  it.each(['auto', 'legacy'] as const)('a tool and a prompt are described, checked and called (%s)', async (mode) => {
    const server = create();
    define(server);
    const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
    await client.connect(serveMemory(server));

    const { tools } = await client.listTools();
    expect(tools[0]).toMatchObject({
      inputSchema: {
        type: 'object',
        properties: { city: { type: 'string', minLength: 1 }, days: { type: 'string' } },
        required: ['city'],
      },
      outputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
    });
    const call = (args: Record<string, unknown>) => client.callTool({ name: 'forecast', arguments: args });
    expect(await call({ city: 'Oslo', days: '3' })).toMatchObject({ structuredContent: { sum: 7 } });
    expect(await call({ city: '' })).toMatchObject({ isError: true });

    const { prompts } = await client.listPrompts();
    expect(prompts[0]?.arguments).toEqual([{ name: 'city', description: 'Where', required: true }]);
    const { messages } = await client.getPrompt({ name: 'ask', arguments: { city: 'Oslo' } });
    expect(messages[0]?.content).toEqual({ type: 'text', text: 'Weather in Oslo?' });
    await client.close();
  });
});

describe('arguments that do not fit', () => {
  const read = z.object({ uri: z.string(), page: z.object({ size: z.number() }) });
  const valibot = toStandardJsonSchema(v.object({ uri: v.string(), page: v.object({ size: v.number() }) }));
  const arktype = type({ uri: 'string', page: { size: 'number' } });

  it.each([
    ['zod', read],
    ['valibot', valibot],
    ['arktype', arktype],
  ])('are named by their path (%s)', async (_library, input) => {
    const server = create();
    server.tool('read', { input }, () => '');
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(serveMemory(server));
    const refused = async (args: Record<string, unknown>) =>
      JSON.stringify(await client.callTool({ name: 'read', arguments: args }));
    expect(await refused({ page: {} })).toMatch(/for tool read: [^:]*\\"uri\\" is missing/);
    expect(await refused({ page: {} })).toContain('\\"page.size\\" is missing');
    expect(await refused({ uri: 1, page: { size: 1 } })).toMatch(/for tool read: uri[: ][^"]*string/);
    await client.close();
  });
});

describe('a schema without JSON Schema', () => {
  const plain = v.object({ city: v.string() });
  const validating = {
    '~standard': { version: 1 as const, vendor: 'other', validate: (value: unknown) => ({ value }) },
  };

  it('is a type error, and refused at the definition', () => {
    const server = create();
    // @ts-expect-error -- valibot keeps JSON Schema in a package of its own
    expect(() => server.tool('x', { input: plain }, () => '')).toThrow(
      'The input of tool "x" is a plain Valibot schema: wrap it in toStandardJsonSchema()',
    );
    // @ts-expect-error -- the same for the output
    expect(() => server.tool('x', { output: plain }, () => ({ city: '' }))).toThrow('The output of tool "x"');
    // @ts-expect-error -- and for prompts
    expect(() => server.prompt('x', { args: plain }, () => '')).toThrow('The args of prompt "x"');
    // @ts-expect-error -- a library without JSON Schema
    expect(() => server.tool('x', { input: validating }, () => '')).toThrow('has no JSON Schema');
    // @ts-expect-error -- zod/mini leaves it out
    expect(() => server.tool('x', { input: zm.object({}) }, () => '')).toThrow('rather than "zod/mini"');
    // @ts-expect-error -- a plain object is no schema
    expect(() => server.tool('x', { input: { type: 'object' } }, () => '')).toThrow('fromJsonSchema()');
    // @ts-expect-error -- nor is a shape
    expect(() => server.prompt('x', { args: { city: z.string() } }, () => '')).toThrow('z.object');
  });

  it('is refused if it is not an object', () => {
    const server = create();
    expect(() => server.tool('x', { input: z.string() }, () => '')).toThrow('must be an object');
    expect(() => server.tool('x', { input: type('string') }, () => '')).toThrow('must be an object');
    expect(() => server.prompt('x', { args: z.array(z.string()) }, () => '')).toThrow('must be an object');
    expect(() => server.tool('x', { input: z.object({ at: z.date() }) }, () => '')).toThrow('input of tool "x"');
  });
});

it('completes only arguments that a prompt has', () => {
  const args = z.object({ city: z.string() });
  // @ts-expect-error -- there is no argument of this name
  const define = () => create().prompt('x', { args, complete: { town: () => [] } }, () => '');
  expect(define).toThrow('completes "town", which is not among its args');
});

it('accepts literals and lists in a structured answer', () => {
  const server = create();
  const output = z.object({ size: z.enum(['small', 'large']), seen: z.array(z.literal('x')), more: z.json() });
  const answer = { more: { a: [1] } };
  server.tool('now', { output }, () => ({ size: 'small', seen: ['x', 'x'], ...answer }));
  server.tool('later', { output }, async (_args) => ({ size: 'large', seen: [], ...answer }));
  // @ts-expect-error -- none of the values
  server.tool('other', { output }, () => ({ size: 'medium', seen: [], ...answer }));
  // @ts-expect-error -- as the SDK calls it
  expect(() => server.tool('sdk', { inputSchema: z.object({}) }, () => 'x')).toThrow('did you mean "input"?');
  server.tool('free', {}, () => undefined);
});
