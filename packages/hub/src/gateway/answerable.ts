// No elicitation, sampling or roots through the hub: many clients share its connection to a server, so there is no single
// client to ask. The server's own message would blame the caller.
import { ProtocolError } from '@modelcontextprotocol/client';
import { LiveError } from '@tidings/live';
import type { Upstream } from '@tidings/track';
import { shortLine } from './short-line.ts';

const missingClientCapability = -32021;

export async function answerable<T>({ id }: Upstream, answering: Promise<T>): Promise<T> {
  try {
    return await answering;
  } catch (error) {
    if (!(error instanceof ProtocolError) || error.code !== missingClientCapability) throw error;
    const message = `The server "${id}" wants to ask its client for something (${shortLine(error.message)}), which the hub cannot pass on: connect to that server directly for this.`;
    throw Object.assign(new LiveError('UNAVAILABLE', message), { cause: error });
  }
}
