// `/api/sessions`: the agent sessions and their transcripts.
import { type Clock, type Hold, LiveError } from '@tidings/live';
import { SseStreams } from '@tidings/live/internal';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Hono } from 'hono';
import type { AgentSessions } from '../../agent/agent-sessions.ts';
import { attachRequest } from '@tidings/client/contract';
import type { SharedSessions } from '../../agent/shared-sessions.ts';
import { bodyOf } from '../message/body.ts';
import { passToNode } from '../node/pass-to-node.ts';
import { TranscriptStream } from './transcript-stream.ts';
import { json } from '../message/json.ts';

type App = Hono<{ Bindings: HttpBindings }>;

interface SessionRoutesDeps {
  /** Refuses limited callers: a transcript is about all resources. */
  assertWhole(this: void, req: HttpBindings['incoming']): void;
  /** Counts a response as an open stream of its caller. */
  holdStream(this: void, exchange: HttpBindings): void;
  /** Counts one more agent session of this caller. */
  holdSession(this: void, req: HttpBindings['incoming']): Hold;
  /** Those of all nodes. */
  shared: SharedSessions;
  /** Whether the request comes from another node. */
  isFromNode(this: void, req: HttpBindings['incoming']): boolean;
  clock: Clock;
}

const heartbeatMs = 15_000;
/** A client that reads nothing for so many heartbeats is disconnected. */
const patience = 20;

export function sessionRoutes(
  app: App,
  sessions: AgentSessions,
  { assertWhole, holdStream, holdSession, shared, isFromNode, clock }: SessionRoutesDeps,
): void {
  const streams = new SseStreams({ clock, keepAliveMs: heartbeatMs, comment: 'heartbeat', patience });

  app.use('/api/sessions/*', async (c, next) => {
    assertWhole(c.env.incoming);
    await next();
  });

  for (const path of ['/api/sessions/:id', '/api/sessions/:id/*']) {
    app.use(path, async (c, next) => {
      const node = isFromNode(c.env.incoming) ? undefined : shared.otherWith(c.req.param('id') ?? '');
      if (node === undefined) return next();
      if (c.req.header('accept')?.includes('text/event-stream')) holdStream(c.env);
      return passToNode(c, node);
    });
  }

  app.get('/api/sessions', () => json({ sessions: shared.list() }));

  app.post('/api/sessions', async (c) => {
    const request = attachRequest.parse(await bodyOf(c.env.incoming));
    return json(await shared.attach(request, holdSession(c.env.incoming)), 201);
  });

  app.delete('/api/sessions/:id', async (c) => {
    await shared.detach(c.req.param('id'));
    return c.body(null, 204);
  });

  // A list; an event stream for clients that accept one.
  app.get('/api/sessions/:id/transcript', (c) => {
    const { transcript } = sessions.get(c.req.param('id'));
    const isStream = c.req.method === 'GET' && c.req.header('accept')?.includes('text/event-stream');
    if (!isStream) return json({ entries: transcript.entries });
    const last = Number(c.req.header('last-event-id') ?? 0);
    if (!Number.isInteger(last)) throw new LiveError('INVALID_PARAMS', 'Last-Event-ID: no entry has such a number.');
    holdStream(c.env);
    new TranscriptStream(c.env.outgoing, streams, transcript, last).advance();
    return RESPONSE_ALREADY_SENT;
  });
}
