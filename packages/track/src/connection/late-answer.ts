// A server that starts slowly answers the probe for 2026-07-28 after the client has given up waiting and has begun a
// session of the 2025 era. The server is asked again, with more time.
import type { JSONRPCMessage } from '@modelcontextprotocol/client';

const modernVersion = '2026-07-28';

export class LateAnswer extends Error {
  constructor() {
    super('It speaks 2026-07-28, but took too long to say so.');
    this.name = 'LateAnswer';
  }
}

/** Whether this is the answer of a server that speaks it. */
export function saysModern(message: JSONRPCMessage): boolean {
  const versions: unknown = 'result' in message ? message.result['supportedVersions'] : undefined;
  return Array.isArray(versions) && versions.includes(modernVersion);
}
