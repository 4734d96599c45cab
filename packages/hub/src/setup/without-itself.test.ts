import type { ServerEntry } from '@tidings/track';
import { describe, expect, it } from 'vitest';
import { withoutItself } from './without-itself.ts';

const common = { id: 'tidings', enabled: true, trackResources: true };
const command = (...args: string[]): ServerEntry => ({ ...common, command: 'node', args, env: {} });
const url = (address: string): ServerEntry => ({ ...common, url: address, headers: {} });
const bin = '/somewhere/bin/tidings.js';

describe('a hub at 127.0.0.1:7411', () => {
  const left = (entry: ServerEntry) => {
    const { config, itself } = withoutItself({ servers: [entry], tokens: [] }, { host: '127.0.0.1', port: 7411 });
    expect(config.servers).toEqual([{ ...entry, enabled: itself.length === 0 }]);
    return itself;
  };

  it.each([
    ['its address', url('http://127.0.0.1:7411/mcp')],
    ['another name of this machine', url('http://localhost:7411/mcp/vcon')],
    ['a bridge to it', command(bin, 'connect', '--hub', 'http://127.0.0.1:7411/mcp')],
    ['a bridge to it, as one word', command('/usr/bin/tidings', 'connect', '--hub=http://[::1]:7411')],
    ['a bridge to where it is by default', { ...common, command: 'tidings', args: ['connect'], env: {} }],
  ])('leaves itself out of its servers: %s', (_, entry) => {
    expect(left(entry)).toEqual(['tidings']);
  });

  it.each([
    ['another port', url('http://127.0.0.1:7412/mcp')],
    ['another machine', url('https://example.com:7411/mcp')],
    ['a bridge to another hub', command(bin, 'connect', '--hub', 'http://127.0.0.1:7412/mcp')],
    ['a server of ours', command(bin, 'serve', 'vcon')],
    ['a program that has an address among its arguments', command('watcher.js', 'http://127.0.0.1:7411/mcp')],
    ['one built in', { ...common, builtin: 'vcon' }],
  ])('keeps %s', (_, entry) => {
    expect(left(entry)).toEqual([]);
  });

  it('does not report an entry that is already disabled', () => {
    const off = { ...url('http://127.0.0.1:7411/mcp'), enabled: false };
    const { itself } = withoutItself({ servers: [off], tokens: [] }, { host: '127.0.0.1', port: 7411 });
    expect(itself).toEqual([]);
  });
});
