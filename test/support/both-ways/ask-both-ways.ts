// Sends the same bytes to two servers and compares the responses (status, headers, body) and the servers' side effects.
import { connect } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { type OddRequest, oddRequest } from './odd-request.ts';
import type { BothWays, Served } from './served-both-ways.ts';

const patienceMs = 20_000;

export interface Comparison {
  /** The first request with different responses, and both responses. */
  readonly difference: string | undefined;
  /** The share of requests that were answered directly. */
  readonly directShare: number;
}

export async function compareBothWays(servers: BothWays, options: { seed: number; runs: number }): Promise<Comparison> {
  const { seed, runs } = options;
  let difference: string | undefined;
  const alike = fc.asyncProperty(oddRequest, async (request) => {
    const found = await differenceOf(servers, request);
    if (found === undefined) return true;
    difference = found;
    return false;
  });
  // The reported difference is that of the smallest failing request, which is the last one tried.
  const { numRuns } = await fc.check(alike, { seed, numRuns: runs, ...(runs === 1 && { endOnFailure: true }) });
  return { difference, directShare: servers.directly() / Math.max(1, numRuns) };
}

async function differenceOf({ direct, sdk }: BothWays, request: OddRequest): Promise<string | undefined> {
  const [one, other] = await Promise.all([ask(direct, request), ask(sdk, request)]);
  if (isDeepStrictEqual(one, other)) return undefined;
  return `${request.text}\n\n--- directly\n${shown(one)}\n\n--- by the SDK\n${shown(other)}`;
}

interface Answer {
  readonly response: string;
  readonly events: unknown[];
}

async function ask(served: Served, { bytes }: OddRequest): Promise<Answer> {
  const response = await exchange(served.port, bytes);
  return { response: comparable(response), events: served.takeEvents() };
}

function shown({ response, events }: Answer): string {
  return `${response}\n${JSON.stringify(events)}`;
}

/** Removes the time, random values, and keep-alive comments, whose number depends on a clock. */
function comparable(response: string): string {
  const timeless = response.replace(/^date: .*\r\n/im, '').replaceAll(/^: keepalive\n\n/gm, '');
  return timeless.replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'UUID');
}

/** All bytes until the server closes; of a stream that stays open, the first event. */
function exchange(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const giveUp = setTimeout(() => {
      socket.destroy();
      reject(new Error(`No answer to:\n${bytes.toString('latin1')}\nonly:\n${text}`));
    }, patienceMs);
    const finish = () => {
      clearTimeout(giveUp);
      socket.destroy();
      resolve(text);
    };
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      text += chunk;
      const isAcknowledged = /^data: .*subscriptions\/acknowledged.*\n\n/m.test(text);
      // A listen request without notifications is ended by the server.
      if (isAcknowledged && !text.includes('"notifications":{}')) finish();
    });
    socket.on('close', finish);
    socket.on('error', finish);
    socket.write(bytes);
  });
}
