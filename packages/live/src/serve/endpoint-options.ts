// Checks the options of an endpoint when it is created: with the misspelt `allowHosts`, for example, it would refuse
// all its clients.
import { type Check, aFunction, aText, checkOptions, either, milliseconds, texts } from '../check-options.ts';
import type { Definition } from '../definition/definition.ts';
import type { LiveServer } from '../live-server.ts';

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
export function definitionOf(owner: string, server: LiveServer): Definition {
  const given: Partial<LiveServer> | undefined = server;
  if (given?.definition === undefined) throw new TypeError(`${owner} needs a server made with liveServer().`);
  return given.definition;
}
