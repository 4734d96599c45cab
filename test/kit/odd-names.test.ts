// Tools and prompts of the kit named like members of Object.prototype, or like numbers. The SDK has them under other
// names, which clients must not see.
import { liveServer, serveHttp } from '@tidings/live';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { WireClient } from '../support/wire/wire-client.ts';

const odd = ['constructor', '12'] as const;

async function serving(): Promise<string> {
  const server = liveServer({ name: 'odd', version: '1' });
  const args = z.object({ a: z.string() });
  for (const name of odd) {
    server.tool(name, { description: 'Odd.', input: args, output: z.object({ n: z.number() }) }, ({ a }) => ({
      n: a === 'wrong' ? Object(a) : 1,
    }));
    server.prompt(name, { args }, ({ a }) => a);
  }
  const running = await serveHttp(server, { port: 0 });
  onTestFinished(() => running.close());
  return running.url;
}

it.each(['modern', 'legacy'] as const)('errors of the SDK use the names of the %s client', async (era) => {
  await using client = await WireClient.http(await serving(), era);
  for (const name of odd) {
    const called = await client.ask('tools/call', { name, arguments: {} });
    expect(JSON.stringify(called)).toContain(`Invalid arguments for tool ${name}: \\"a\\" is missing`);
    const answered = await client.ask('tools/call', { name, arguments: { a: 'wrong' } });
    expect(JSON.stringify(answered)).toContain(`Invalid structured content for tool ${name}: n`);
    const got = await client.ask('prompts/get', { name, arguments: {} });
    expect(JSON.stringify(got)).toContain(`Invalid arguments for prompt ${name}: \\"a\\" is missing`);
    expect((await client.ask('tools/call', { name, arguments: { a: 'x' } })).result).toMatchObject({
      structuredContent: { n: 1 },
    });
  }
});
