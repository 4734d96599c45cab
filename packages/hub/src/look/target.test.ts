import { describe, expect, it } from 'vitest';
import { serverEntryOf, hubEndpoint, targetName } from './target.ts';

describe('a target', () => {
  it('is shown without user and password', () => {
    const url = new URL('http://user:secret@example.com/mcp');
    expect(targetName({ kind: 'server', url })).toBe('http://example.com/mcp');
    expect(targetName({ kind: 'hub', url })).toBe('the hub at http://example.com');
    expect(targetName({ kind: 'command', command: 'npx', args: ['-y', 'server'] })).toBe('npx -y server');
  });

  it('is an entry that is not tracked, with its token as a header', () => {
    const url = new URL('http://example.com/mcp');
    expect(serverEntryOf({ kind: 'server', url, token: 'abc' })).toMatchObject({
      url: url.href,
      headers: { Authorization: 'Bearer abc' },
      trackResources: false,
    });
    expect(serverEntryOf({ kind: 'hub', url })).toMatchObject({ headers: {} });
  });

  it('gives a started command the whole environment', () => {
    const entry = serverEntryOf({ kind: 'command', command: 'npx', args: ['-y', 'server'] });
    expect(entry).toMatchObject({ command: 'npx', args: ['-y', 'server'], env: {}, inheritsAll: true });
  });

  it.each([
    ['http://127.0.0.1:7411', 'http://127.0.0.1:7411/mcp'],
    ['http://127.0.0.1:7411/', 'http://127.0.0.1:7411/mcp'],
    ['https://example.com/tidings/', 'https://example.com/tidings/mcp'],
    ['http://127.0.0.1:7411/mcp', 'http://127.0.0.1:7411/mcp'],
    ['http://127.0.0.1:7411/mcp/vcon', 'http://127.0.0.1:7411/mcp/vcon'],
  ])('%s is the hub at %s', (hub, endpoint) => {
    expect(hubEndpoint(new URL(hub)).href).toBe(endpoint);
  });
});
