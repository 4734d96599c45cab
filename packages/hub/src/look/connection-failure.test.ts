import { ConnectFailure } from '@tidings/track/session';
import { describe, expect, it } from 'vitest';
import { Failure } from '../terminal/failure.ts';
import { connectionFailure } from './connection-failure.ts';
import type { ServerTarget } from './target.ts';

const hub: ServerTarget = { kind: 'hub', url: new URL('http://127.0.0.1:7411/mcp') };
const server: ServerTarget = { kind: 'server', url: new URL('http://user:secret@127.0.0.1:3000/mcp') };
const command: ServerTarget = { kind: 'command', command: 'some-server', args: ['--flag'] };

function ofHub(name: string): ServerTarget {
  return { kind: 'hub', url: new URL(`http://127.0.0.1:7411/mcp/${name}`) };
}

function failed(fields: { message?: string; status?: number; code?: string }): ConnectFailure {
  return new ConnectFailure(Object.assign(new Error(fields.message ?? 'it failed'), fields), (text) => text);
}

describe('the message for an unreachable server', () => {
  it.each([
    ['a hub that is not there', hub, failed({ code: 'ECONNREFUSED' }), /^No hub answers .+ECONNREFUSED.+"tidings up"/],
    [
      'a hub that closes the connection',
      hub,
      failed({ message: 'socket hang up' }),
      /answers at .+ \(socket hang up\)\./,
    ],
    [
      'a hub without TLS',
      hub,
      failed({ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }),
      /no secure.+the hub at.+http or https/,
    ],
    ['another certificate', server, failed({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }), /_CERT.+NODE_EXTRA_CA_CERTS/],
    ['a hub that asks for a token', hub, failed({ status: 401 }), /^The hub .+Set TIDINGS_TOKEN/],
    [
      'a server that asks for a token',
      server,
      failed({ status: 401 }),
      /Run "tidings login .+", or set TIDINGS_SERVER_TOKEN/,
    ],
    ['a server that refuses', server, failed({ status: 403 }), /refuses this token or address/],
    ['an address without MCP', server, failed({ status: 404 }), /There is no MCP server at .+most are at \/mcp/],
    ['a server with a fault', server, failed({ status: 500 }), /answered with HTTP 500/],
    ['a server that is not there', server, failed({ code: 'ECONNREFUSED' }), /^Nothing answers at/],
    ['a server that the hub has not', ofHub('a%20b'), failed({ status: 404 }), /has no server "a b"/],
    ['a name with a malformed escape', ofHub('a%b'), failed({ status: 404 }), /has no server "a%b"/],
    ['something else', server, failed({ message: 'no MCP' }), /did not answer as an MCP server: no MCP$/],
    ['a command that does not exist', command, failed({ code: 'ENOENT' }), /^There is no command "some-server"/],
    ['a command that may not be run', command, failed({ code: 'EACCES' }), /Make it executable/],
    ['a command that ended', command, failed({ message: 'It ended.' }), /^"some-server --flag" did not.+: It ended.$/],
  ])('%s', (_, target, failure, message) => {
    const explained = connectionFailure(failure, target);
    expect(explained).toBeInstanceOf(Failure);
    expect(explained).toMatchObject({ exitCode: 1, message: expect.stringMatching(message) });
    expect(String(explained)).not.toContain('secret');
  });

  it.each([
    ['it failed', ['one', 'two'], /: it failed\nIt wrote on stderr:\n {2}one\n {2}two$/],
    ['it is silent', ['one'], /: it is silent\nIt wrote on stderr:\n {2}one$/],
    ['It ended: one', ['one'], /: It ended: one$/],
    // As servers write to a terminal: the reason has neither colours nor tabs.
    ['It ended: no\tkey', ['\u001b[31mno\tkey\u001b[39m'], /: It ended: no key$/],
  ])('includes the stderr of the command unless the reason has it: %s', (message, stderr, end) => {
    expect(String(connectionFailure(failed({ message }), command, stderr))).toMatch(end);
  });

  it('returns an unexpected error unchanged', () => {
    const bug = new TypeError('undefined is not a function');
    expect(connectionFailure(bug, hub)).toBe(bug);
  });
});
