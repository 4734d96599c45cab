import { describe, expect, it } from 'vitest';
import { entryOf, hubEndpoint, nameOf } from './target.ts';

describe('a target', () => {
  it('is shown without user and password', () => {
    const url = new URL('http://user:secret@example.com/mcp');
    expect(nameOf({ kind: 'server', url })).toBe('http://example.com/mcp');
    expect(nameOf({ kind: 'hub', url })).toBe('the hub at http://example.com');
    expect(nameOf({ kind: 'command', command: 'npx', args: ['-y', 'server'] })).toBe('npx -y server');
  });

  it('is an entry that is not tracked, with its token as a header', () => {
    const url = new URL('http://example.com/mcp');
    expect(entryOf({ kind: 'server', url, token: 'abc' })).toMatchObject({
      url: url.href,
      headers: { Authorization: 'Bearer abc' },
      trackResources: false,
    });
    expect(entryOf({ kind: 'hub', url })).toMatchObject({ headers: {} });
  });

  it('gives a started command the whole environment', () => {
    const entry = entryOf({ kind: 'command', command: 'npx', args: ['-y', 'server'] });
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
