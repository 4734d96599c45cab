// `@tidings/live/web` in a process that reports which modules of Node are loaded.
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

const loader = `
  import { register } from 'node:module';
  const hook = \`export async function resolve(specifier, context, next) {
    const found = await next(specifier, context);
    if (found.url.startsWith('node:')) process._rawDebug(found.url + ' by ' + context.parentURL);
    return found;
  }\`;
  register('data:text/javascript,' + encodeURIComponent(hook));
`;
const program = `
  // Not every runtime has Node's globals, so the kit must not use them.
  for (const name of ['Buffer', 'setImmediate', 'process']) {
    const value = globalThis[name];
    const get = () => (new Error().stack.split('\\n')[2].includes('packages/live/dist') ? undefined : value);
    Object.defineProperty(globalThis, name, { get });
  }
  const { liveServer, webEndpoint } = await import('@tidings/live/web');
  const server = liveServer({ name: 'notes', version: '1.0.0' });
  server.resource('note://{name}', { read: ({ name }) => new TextEncoder().encode(name) });
  const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
  const response = await webEndpoint(server).fetch(new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json', accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28', 'mcp-method': 'resources/read', 'mcp-name': 'note://a',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'note://a', _meta: meta } }),
  }));
  console.log(await response.text());
`;

function run(...conditions: string[]) {
  const flags = conditions.flatMap((name) => ['--conditions', name]);
  const imported = `data:text/javascript,${encodeURIComponent(loader)}`;
  return spawnSync(process.execPath, [...flags, '--import', imported, '--input-type=module', '-e', program], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
}

it('the web entry loads no modules of Node except those of the SDK', () => {
  const { stdout, stderr } = run();
  expect(stdout).toContain('"blob":"YQ=="');
  expect(stderr).not.toMatch(/node:(http|net|stream)/);
  expect(stderr.split('\n').filter((line) => line !== '' && !line.includes('@modelcontextprotocol'))).toEqual([]);
});

it('the web entry loads no module of Node under the conditions of an edge runtime', () => {
  const { stdout, stderr } = run('workerd');
  expect(stdout).toContain('"blob":"YQ=="');
  expect(stderr).toBe('');
});
