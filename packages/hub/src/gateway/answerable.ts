// A server that would have to ask its client something cannot do so through the hub: its connection is
// shared by many, so there is no one client to ask. The server's own words would blame whoever called.
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
