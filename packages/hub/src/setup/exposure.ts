// Who may reach a server over HTTP. Loopback is for everybody on this machine; any other address
// needs a token, or the user's word that it may go without.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { hostname, networkInterfaces } from 'node:os';
import type { Credential } from '@tidings/live';
import { Failure } from '../terminal/failure.ts';

export interface Exposure {
  allowedHosts: string[];
  authenticate?: (req: IncomingMessage) => Credential | undefined;
}

/** `names`: by which others reach it, through a proxy for example. */
export function exposure(
  host: string,
  token: string | undefined,
  isInsecure: boolean,
  names: readonly string[] = [],
): Exposure {
  const isLocal = /^(localhost|127(\.\d+){3}|::1)$/.test(host);
  if ((!isLocal || names.length > 0) && !token && !isInsecure) {
    const where = isLocal ? `as ${names.join(', ')}` : `on ${host}`;
    throw new Failure(
      `Others could reach a server ${where}. Set TIDINGS_TOKEN to ask them for a token, or add --insecure to let everybody in.`,
      2,
    );
  }
  const all = ['localhost', '127.0.0.1', '::1', host, ...(isLocal ? [] : namesOfThisMachine()), ...names];
  return {
    allowedHosts: all.map((name) => (name.includes(':') ? `[${name}]` : name)),
    ...(token && { authenticate: bearer(token) }),
  };
}

function namesOfThisMachine(): string[] {
  const addresses = Object.values(networkInterfaces()).flat();
  return [hostname(), ...addresses.flatMap((each) => each?.address ?? [])];
}

/** Digests have one length, so comparing them says nothing about the token's. */
function bearer(token: string): (req: IncomingMessage) => Credential | undefined {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(token);
  return ({ headers }) => {
    const [, given = ''] = /^Bearer (.+)$/i.exec(headers.authorization ?? '') ?? [];
    return timingSafeEqual(digest(given), expected) ? { subject: 'token' } : undefined;
  };
}
