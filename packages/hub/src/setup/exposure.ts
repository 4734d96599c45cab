// Which host names a server accepts over HTTP, and whether it requires a token. A server on loopback accepts all local
// programs; on any other address it requires a token, unless the user has said --insecure.
import type { IncomingMessage } from 'node:http';
import { hostname, networkInterfaces } from 'node:os';
import { type Credential, systemClock } from '@tidings/live';
import { bearerTokenOf, isLoopback, isSameSecret, secretDigest, urlHost } from '@tidings/live/internal';
import { GuessLimit } from '../access/token/guess-limit.ts';
import { Failure } from '../terminal/failure.ts';

export interface Exposure {
  allowedHosts: string[];
  authenticate?: (req: IncomingMessage) => Credential | undefined;
}

/** `names` are further host names, for example those of a proxy. */
export function exposure(
  host: string,
  token: string | undefined,
  isInsecure: boolean,
  names: readonly string[] = [],
): Exposure {
  const isLocal = isLoopback(host);
  if ((!isLocal || names.length > 0) && !token && !isInsecure) {
    const where = isLocal ? `as ${names.join(', ')}` : `on ${host}`;
    throw new Failure(
      `Other machines could reach a server ${where}. Set TIDINGS_TOKEN to require a token, or add --insecure to allow all of them.`,
      2,
    );
  }
  const all = ['localhost', '127.0.0.1', '::1', host, ...(isLocal ? [] : namesOfThisMachine()), ...names];
  return {
    allowedHosts: all.map(urlHost),
    ...(token && { authenticate: bearer(token) }),
  };
}

function namesOfThisMachine(): string[] {
  const addresses = Object.values(networkInterfaces()).flat();
  return [hostname(), ...addresses.flatMap((each) => each?.address ?? [])];
}

function bearer(token: string): (req: IncomingMessage) => Credential | undefined {
  const expected = secretDigest(token);
  const guesses = new GuessLimit(systemClock);
  return (req) => {
    const given = bearerTokenOf(req);
    if (given === undefined) return undefined;
    const guess = { address: req.socket.remoteAddress ?? '', token: given };
    guesses.assertNotPaused(guess);
    if (isSameSecret(given, expected)) return { subject: 'token' };
    guesses.wrong(guess);
    return undefined;
  };
}
