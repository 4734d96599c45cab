// `/api/sessions`: the agents that are told what changes, and what they were told.
import { type Hold, LiveError } from '@tidings/live';
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { type AgentSessions, attachSchema } from '../agent/agent-sessions.ts';
import { bodyOf } from './body.ts';

type App = Hono<{ Bindings: HttpBindings }>;

export interface SessionRoutesDeps {
  /** Refuses callers who may not see everything: a transcript tells of all. */
  assertWhole(this: void, req: HttpBindings['incoming']): void;
  /** Counts an answer as an open stream of its caller. */
  holdStream(this: void, exchange: HttpBindings): void;
  /** Counts one more agent session of this caller. */
  holdSession(this: void, req: HttpBindings['incoming']): Hold;
}

export function sessionRoutes(
  app: App,
  sessions: AgentSessions,
  { assertWhole, holdStream, holdSession }: SessionRoutesDeps,
): void {
  app.use('/api/sessions/*', async (c, next) => {
    assertWhole(c.env.incoming);
    await next();
  });

  app.get('/api/sessions', (c) => c.json({ sessions: sessions.list() }));

  app.post('/api/sessions', async (c) => {
    const request = attachSchema.parse(await bodyOf(c.env.incoming));
    const session = await sessions.attach(request, holdSession(c.env.incoming));
    return c.json(session.status(), 201);
  });

  app.delete('/api/sessions/:id', async (c) => {
    await sessions.detach(c.req.param('id'));
    return c.body(null, 204);
  });

  // As a list, or, for those who ask for an event stream, as it grows.
  app.get('/api/sessions/:id/transcript', (c) => {
    const { transcript } = sessions.get(c.req.param('id'));
    if (!c.req.header('accept')?.includes('text/event-stream')) return c.json({ entries: transcript.entries });
    const last = Number(c.req.header('last-event-id') ?? 0);
    if (!Number.isInteger(last)) throw new LiveError('INVALID_PARAMS', 'Last-Event-ID: no entry has such a number.');
    holdStream(c.env);
    return streamSSE(c, async (stream) => {
      const waiting = transcript.entries.filter(({ id }) => id > last);
      let wake: () => void = () => undefined;
      const unfollow = transcript.follow((entry) => {
        // A reader that stands still gets the latest when it reads on; the rest can be listed.
        if (waiting.length >= mostWaiting) waiting.shift();
        waiting.push(entry);
        wake();
      });
      stream.onAbort(() => wake());
      while (!stream.aborted) {
        const entry = waiting.shift();
        if (entry) await stream.writeSSE({ id: String(entry.id), data: JSON.stringify(entry) });
        else if (transcript.isOver) break;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
      unfollow();
    });
  });
}

const mostWaiting = 500;
