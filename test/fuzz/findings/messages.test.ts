// Findings of fuzzing in the handling of messages, in both eras and over both transports.
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Target } from '../attack/target.ts';
import { within } from '../attack/within.ts';
import { type Json, JsonText } from '../generate/json.ts';
import { message, serverUnderTest, textOf } from './server-under-test.ts';

const server = serverUnderTest();

test('a line above the limit ends the process, because later lines could not be read', async () => {
  const target = new Target('stdio');
  onTestFinished(() => target.kill());
  const exited = once(target.process, 'exit');
  target.process.stdin?.on('error', () => undefined).write(`${' '.repeat(300_000)}\n`);
  expect(await within(30_000, 'end of the process', exited)).toEqual([0, null]);
});

describe.each(['legacy', 'modern'] as const)('%s', (era) => {
  const wrongParams: [string, Record<string, Json>][] = [
    ['resources/read', { uri: { not: 'a string' } }],
    ['resources/list', { cursor: 5 }],
    ['completion/complete', { ref: { type: 'ref/other' } }],
    ['prompts/get', { name: 'greet', arguments: { who: ['Ann'] } }],
  ];

  test.each(wrongParams)('%s with params of the wrong type is answered with a client error', async (method, params) => {
    const asked = message(era, method, params);
    const text = await textOf(await server.post(era, asked));
    expect(text).toContain('"code":-32602');
    expect(text).toContain('"code":"INVALID_PARAMS"');
    const answer = await server.byLine(era, asked);
    expect(answer).toMatchObject({ error: { code: -32602, data: { code: 'INVALID_PARAMS' } } });
  });

  test.each(['__proto__', 'constructor', 'toString'])(
    'completion of a variable called %s returns no values',
    async (name) => {
      for (const ref of [
        { type: 'ref/resource', uri: 'notes://{name}' },
        { type: 'ref/prompt', name: 'greet' },
      ]) {
        const asked = message(era, 'completion/complete', { ref, argument: { name, value: 'a' } });
        expect(await textOf(await server.post(era, asked))).toContain('"values":[]');
      }
    },
  );

  test('a message nested too deeply for validators is refused', async () => {
    const capabilities = { experimental: { deep: new JsonText(`${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}`) } };
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': capabilities,
    };
    const asked =
      era === 'legacy' ? message(era, 'initialize', { capabilities }) : message(era, 'tools/list', { _meta });
    const response = await server.post(era, asked);
    expect(response.status).toBe(400);
    expect(await textOf(response)).toContain('INVALID_PARAMS');
    const answer = await server.byLine(era, asked);
    expect(answer).toMatchObject({ error: { code: -32602, data: { code: 'INVALID_PARAMS' } } });
  });
});
