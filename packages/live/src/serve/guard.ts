// Host and Origin checks against DNS rebinding: a web page must not reach a local server by a name of
// its own. The comparison itself is the SDK's.
import type { IncomingMessage } from 'node:http';
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import { LiveError } from '../error.ts';

export interface GuardOptions {
  /** Host names this endpoint is reached by, without port. Default: the loopback names. */
  allowedHosts?: readonly string[];
  /** Host names of pages that may call it; a function where that can change. Default: as `allowedHosts`. */
  allowedOrigins?: readonly string[] | (() => readonly string[]);
}

export type Guard = (req: IncomingMessage) => void;

export function createGuard(options: GuardOptions): Guard {
  const hosts = [...(options.allowedHosts ?? localhostAllowedHostnames())];
  const origins = originsOf(options);
  return ({ headers: { host, origin } }) => {
    if (!validateHostHeader(host, hosts).ok) {
      throw new LiveError(
        'PERMISSION_DENIED',
        `Host "${host ?? ''}" is not one of this server's: add it to allowedHosts.`,
      );
    }
    if (!validateOriginHeader(origin, [...origins()]).ok) {
      throw new LiveError(
        'PERMISSION_DENIED',
        `Origin "${origin ?? ''}" may not call this server: add it to allowedOrigins.`,
      );
    }
  };
}

function originsOf({ allowedOrigins, allowedHosts }: GuardOptions): () => readonly string[] {
  if (typeof allowedOrigins === 'function') return allowedOrigins;
  const fixed = [...(allowedOrigins ?? allowedHosts ?? localhostAllowedOrigins())];
  return () => fixed;
}
