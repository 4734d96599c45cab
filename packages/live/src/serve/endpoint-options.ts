// The options of an endpoint. They are checked when it is created: with the misspelt `allowHosts`, for example, it would
// refuse all its clients.
import type { IncomingMessage } from 'node:http';
import { type Check, aFunction, aText, checkOptions, either, milliseconds, texts } from '../base/check-options.ts';
import type { ServerDefinition } from '../definition/server-definition.ts';
import type { Observe } from '../definition/observe.ts';
import type { LiveServer } from '../live-server.ts';
import type { Authenticate } from './admission/authenticate.ts';
import type { Guard, GuardOptions } from './admission/guard.ts';

/**
 * `Source` is the type of a request in the server around the endpoint: an `IncomingMessage` in Node, or a `Request`.
 */
export interface EndpointOptions<Source = IncomingMessage> extends GuardOptions<Source> {
  /** Replaces the check of Host and Origin, for a server that checks all its routes itself. Default: that check. */
  guard?: Guard<Source>;
  /**
   * Returns the credential of this request. Throw, or return nothing, to refuse it. Default: every caller is admitted.
   */
  authenticate?: Authenticate<Source>;
  /** The `WWW-Authenticate` header for a refused caller. Default: `Bearer`. */
  challenge?: string;
  /** Called for every request after it was answered or refused. Default: nothing is called. */
  observe?: Observe;
  /** The address of the client, for `caller.address`. Default: in Node, the other end of the connection. */
  addressOf?: (req: Source) => string | undefined;
  /**
   * How often a quiet stream gets a comment; a client whose socket accepts nothing for two intervals is disconnected.
   * 0: never. Default: 15 s.
   */
  keepAliveMs?: number;
  /** How long a 2025-era session without an open stream or request is kept. Default: 30 min. */
  sessionIdleMs?: number;
}

const names = either(texts, aFunction);

/** Names as in a Host header, without the port. */
const hostNames: Check = {
  expected: 'a list of host names without scheme and port, such as "mcp.example.com" or "[::1]"',
  accepts: (value) =>
    texts.accepts(value) && [value].flat().every((name) => /^(?:[^:/]+|\[[^\]/]+\])$/.test(String(name))),
};

const endpointChecks = {
  allowedHosts: either(hostNames, aFunction),
  allowedOrigins: names,
  isTls: aFunction,
  guard: aFunction,
  authenticate: aFunction,
  challenge: aText,
  observe: aFunction,
  addressOf: aFunction,
  keepAliveMs: milliseconds,
  sessionIdleMs: milliseconds,
};

/** `others` are options that only this kind of endpoint has. */
export function checkEndpoint(owner: string, options: object = {}, others: Readonly<Record<string, Check>> = {}): void {
  checkOptions(owner, options, { ...others, ...endpointChecks });
}

/** The server's definition. Throws for another object: passing the SDK's server is a likely mistake. */
export function definitionOf(owner: string, server: LiveServer): ServerDefinition {
  const given: Partial<LiveServer> | undefined = server;
  if (given?.definition === undefined) throw new TypeError(`${owner} needs a server made with liveServer().`);
  return given.definition;
}
