// Passes a request about something that only another node has to that node, and its answer back.
import { type Caller, LiveError } from '@tidings/live';
import type { OtherNode } from '@tidings/track/internal';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { bodyText } from '../message/body.ts';
import { leftSignal } from '../connection/left-signal.ts';

const requestHeaders = ['accept', 'last-event-id'];
/** Without the length, a short response would be compressed. The last two are for proxies, about event streams. */
const responseHeaders = ['content-type', 'content-length', 'retry-after', 'cache-control', 'x-accel-buffering'];

/** The subject of the caller, in base64url: it may have any characters. Ignored without the secret of the nodes. */
export const subjectHeader = 'tidings-subject';

export async function passToNode(
  c: Context<{ Bindings: HttpBindings }>,
  node: OtherNode,
  { auth }: Pick<Caller, 'auth'>,
): Promise<Response> {
  const { pathname, search } = new URL(c.req.url);
  const hasBody = c.req.method === 'POST' || c.req.method === 'PATCH';
  // This node compresses the response, if it is to be.
  const headers = new Headers({ ...node.headers, 'accept-encoding': 'identity', ...picked(c.req.raw, requestHeaders) });
  if (auth) headers.set(subjectHeader, Buffer.from(auth.subject).toString('base64url'));
  if (hasBody) headers.set('content-type', 'application/json');
  try {
    const answer = await fetch(new URL(`/node${pathname}${search}`, node.url), {
      method: c.req.method,
      headers,
      signal: leftSignal(c.env.outgoing),
      ...(hasBody && { body: await bodyText(c.env.incoming) }),
    });
    return new Response(answer.body, { status: answer.status, headers: picked(answer, responseHeaders) });
  } catch (error) {
    if (error instanceof LiveError) throw error;
    const message = `The node ${node.id}, which has this, does not answer. Another node takes over within seconds: try again.`;
    throw Object.assign(new LiveError('UNAVAILABLE', message), { cause: error });
  }
}

function picked({ headers }: Pick<Response, 'headers'>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => names.includes(name)));
}
