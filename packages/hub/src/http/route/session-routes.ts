// `/api/sessions`: the agent sessions and their transcripts.
import { type Clock, LiveError } from '@tidings/live';
import { SseStreams } from '@tidings/live/internal';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Hono } from 'hono';
import type { HubQuotas } from '../../access/hub-quotas.ts';
import { isNode } from '../../access/node-principal.ts';
import type { AgentSessions } from '../../agent/agent-sessions.ts';
import { attachRequest } from '@tidings/client/contract';
import type { SharedSessions } from '../../agent/shared-sessions.ts';
import type { RequestCallers } from '../admission/request-callers.ts';
import type { OpenAnswers } from '../connection/open-answers.ts';
import { bodyOf } from '../message/body.ts';
import { passToNode } from '../node/pass-to-node.ts';
import { TranscriptStream } from './transcript-stream.ts';
import { json } from '../message/json.ts';

type App = Hono<{ Bindings: HttpBindings }>;

interface SessionRoutesDeps {
  sessions: Pick<AgentSessions, 'get'>;
  /** The sessions of all nodes. */
  sharedSessions: Pick<SharedSessions, 'attach' | 'detach' | 'list' | 'otherWith'>;
  callers: Pick<RequestCallers, 'callerOf' | 'assertSeesAllLogins'>;
  open: Pick<OpenAnswers, 'holdStream'>;
  quotas: Pick<HubQuotas, 'hold'>;
  clock: Clock;
}

const heartbeatMs = 15_000;
/** A client that reads nothing for so many heartbeats is disconnected. */
const patience = 20;

export function sessionRoutes(
  app: App,
  { sessions, sharedSessions: shared, callers, open, quotas, clock }: SessionRoutesDeps,
): void {
  const hold = ({ incoming, outgoing }: HttpBindings) => open.holdStream(outgoing, callers.callerOf(incoming));
  const streams = new SseStreams({ clock, keepAliveMs: heartbeatMs, comment: 'heartbeat', patience });

  app.use('/api/sessions/*', async (c, next) => {
    // Messages for agents include changes that only the operator's logins show.
    callers.assertSeesAllLogins(c.env.incoming);
    await next();
  });

  for (const path of ['/api/sessions/:id', '/api/sessions/:id/*']) {
    app.use(path, async (c, next) => {
      const caller = callers.callerOf(c.env.incoming);
      const node = isNode(caller) ? undefined : shared.otherWith(c.req.param('id') ?? '');
      if (node === undefined) return next();
      if (c.req.header('accept')?.includes('text/event-stream')) hold(c.env);
      return passToNode(c, node, caller);
    });
  }

  app.get('/api/sessions', () => json({ sessions: shared.list() }));

  app.post('/api/sessions', async (c) => {
    const request = attachRequest.parse(await bodyOf(c.env.incoming));
    return json(await shared.attach(request, quotas.hold(callers.callerOf(c.env.incoming), 'agentSessions', 1)), 201);
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
    hold(c.env);
    new TranscriptStream(c.env.outgoing, streams, transcript, last).advance();
    return RESPONSE_ALREADY_SENT;
  });
}
