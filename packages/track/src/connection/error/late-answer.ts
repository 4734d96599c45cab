// The error of an attempt in which a slowly starting server answered the probe for 2026-07-28 too late: the client had
// given up waiting and begun a session of the 2025 era. The server is then probed again, with more time.
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { modernVersion } from '@tidings/live/portable';

export class LateAnswer extends Error {
  constructor() {
    super('The server speaks 2026-07-28, but answered the probe too late.');
    this.name = 'LateAnswer';
  }
}

/** Whether this message is the probe's answer from a server that speaks 2026-07-28. */
export function saysModern(message: JSONRPCMessage): boolean {
  const versions: unknown = 'result' in message ? message.result['supportedVersions'] : undefined;
  return Array.isArray(versions) && versions.includes(modernVersion);
}
