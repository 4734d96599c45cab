// One request to a route of the hub, with a time limit and the hub's own error messages.
import { errorAnswer } from '@tidings/client/contract';
import { parsedJson } from '@tidings/live/portable';
import { systemClock, timeLimit } from '@tidings/live/time';
import type * as z from 'zod/mini';

/** The hub accepts no other content type for requests that change something. */
export const asJson = { 'Content-Type': 'application/json' };

/** A connection that died without being closed would keep a request open forever, and block others. */
const patienceMs = 20_000;

/** An error response of the hub, with its message. */
export class HubError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The validated JSON response of a route. */
export async function requestJson<Schema extends z.ZodMiniType>(
  path: string,
  schema: Schema,
  init?: RequestInit,
): Promise<z.output<Schema>> {
  const { body } = await request(path, init);
  return schema.parse(parsed(body));
}

interface HubResponse {
  headers: Headers;
  body: ArrayBuffer;
}

export async function request(path: string, init?: RequestInit): Promise<HubResponse> {
  const limit = timeLimit(systemClock, patienceMs, init?.signal);
  try {
    const response = await hubFetch(path, { ...init, signal: limit.signal });
    const body = await response.arrayBuffer().catch(inWords);
    if (response.ok) return { headers: response.headers, body };
    const { data } = errorAnswer.safeParse(parsed(body));
    throw new HubError(response.status, data?.error.message ?? `The hub answered ${response.status}.`);
  } finally {
    limit.clear();
  }
}

/** A fetch with a message of our own for a failed connection: those of browsers do not name the hub. */
export async function hubFetch(path: string, init?: RequestInit): Promise<Response> {
  return fetch(path, init).catch(inWords);
}

/** Without a connection, a fetch and the reading of its body fail with a `TypeError`. */
function inWords(error: unknown): never {
  throw error instanceof TypeError ? new Error('The hub does not answer.', { cause: error }) : error;
}

function parsed(body: ArrayBuffer): unknown {
  return parsedJson(new TextDecoder().decode(body));
}
