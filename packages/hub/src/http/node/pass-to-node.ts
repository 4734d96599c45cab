// Passes a request about something that only another node has to that node, and its answer back.
import { LiveError } from '@tidings/live';
import type { OtherNode } from '@tidings/track/internal';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { bodyOf } from '../message/body.ts';
import { leftSignal } from '../connection/left-signal.ts';

const passedHeaders = ['accept', 'last-event-id'] as const;

export async function passToNode(c: Context<{ Bindings: HttpBindings }>, node: OtherNode): Promise<Response> {
  const { pathname, search } = new URL(c.req.url);
  const hasBody = c.req.method === 'POST' || c.req.method === 'PATCH';
  const headers = new Headers(node.headers);
  for (const name of passedHeaders) {
    const value = c.req.header(name);
    if (value !== undefined) headers.set(name, value);
  }
  if (hasBody) headers.set('content-type', 'application/json');
  try {
    const answer = await fetch(new URL(`/node${pathname}${search}`, node.url), {
      method: c.req.method,
      headers,
      signal: leftSignal(c.env.outgoing),
      ...(hasBody && { body: JSON.stringify(await bodyOf(c.env.incoming)) }),
    });
    const type = answer.headers.get('content-type');
    return new Response(answer.body, { status: answer.status, headers: type === null ? {} : { 'Content-Type': type } });
  } catch (error) {
    if (error instanceof LiveError) throw error;
    const message = `The node ${node.id}, which has this, does not answer. Another node takes over within seconds: try again.`;
    throw Object.assign(new LiveError('UNAVAILABLE', message), { cause: error });
  }
}
