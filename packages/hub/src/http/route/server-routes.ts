// `/api/servers`: the servers as the caller may see them; tracking, enabling, restarting, pinging, adding and removing them.
import type { HttpBindings } from '@hono/node-server';
import { type ServersAnswer, addedServer, serverPatch } from '@tidings/client/contract';
import { LiveError } from '@tidings/live';
import type { Tracker } from '@tidings/track';
import type { Hono } from 'hono';
import { visibleStatus } from '../../access/visible-status.ts';
import type { HttpAudit } from '../admission/http-audit.ts';
import type { RequestCallers } from '../admission/request-callers.ts';
import { bodyOf } from '../message/body.ts';
import type { ConfigEditor } from './config-editor.ts';
import { json } from '../message/json.ts';

interface ServerRoutesDeps {
  tracker: Pick<Tracker, 'upstream' | 'track'>;
  /** Undefined if there is no configuration file. */
  editor: ConfigEditor | undefined;
  callers: Pick<RequestCallers, 'gatewaysOf' | 'permissionsOf' | 'assertWhole' | 'assertSeesAllLogins'>;
  audit: Pick<HttpAudit, 'decided'>;
}

export function serverRoutes(
  app: Hono<{ Bindings: HttpBindings }>,
  { tracker, editor, callers, audit }: ServerRoutesDeps,
): void {
  app.get('/api/servers', async (c) => {
    const permissions = callers.permissionsOf(c.env.incoming);
    const all = await Promise.all(
      [...callers.gatewaysOf(c.env.incoming).upstreams].map((upstream) => visibleStatus(upstream, permissions)),
    );
    const answer: ServersAnswer = {
      servers: all.filter((status) => status !== undefined),
      ...(permissions.isWhole && { configFile: editor?.file ?? null }),
    };
    return json(answer);
  });

  app.post('/api/servers', async (c) => {
    callers.assertSeesAllLogins(c.env.incoming);
    const server = addedServer.parse(await bodyOf(c.env.incoming));
    await editorOf(editor).add(server);
    audit.decided(c.env.incoming, { method: 'add', server: server.id, detail: new URL(server.url).origin });
    return json(callers.gatewaysOf(c.env.incoming).upstream(server.id).shownStatus(), 201);
  });

  app.delete('/api/servers/:id', async (c) => {
    callers.assertSeesAllLogins(c.env.incoming);
    const { id } = tracker.upstream(c.req.param('id'));
    await editorOf(editor).remove(id);
    audit.decided(c.env.incoming, { method: 'remove', server: id, detail: 'by hand' });
    return c.body(null, 204);
  });

  app.patch('/api/servers/:id', async (c) => {
    callers.assertWhole(c.env.incoming);
    const { tracked, enabled } = serverPatch.parse(await bodyOf(c.env.incoming));
    const { id, user } = callers.gatewaysOf(c.env.incoming).upstream(c.req.param('id'));
    if (tracked !== undefined && user !== undefined) throw ofTheOperator(id);
    if (enabled !== undefined) {
      await editorOf(editor).setEnabled(id, enabled);
      audit.decided(c.env.incoming, { method: enabled ? 'enable' : 'disable', server: id, detail: 'by hand' });
    }
    if (tracked !== undefined) tracker.track(id, tracked);
    return json(callers.gatewaysOf(c.env.incoming).upstream(id).shownStatus());
  });

  app.post('/api/servers/:id/restart', (c) => {
    callers.assertWhole(c.env.incoming);
    const upstream = callers.gatewaysOf(c.env.incoming).upstream(c.req.param('id'));
    upstream.restart();
    audit.decided(c.env.incoming, { method: 'restart', server: upstream.id, detail: 'by hand' });
    return json(upstream.shownStatus());
  });

  app.post('/api/servers/:id/ping', async (c) => {
    callers.assertWhole(c.env.incoming);
    const ms = await callers.gatewaysOf(c.env.incoming).upstream(c.req.param('id')).ping();
    return json({ ms: Math.round(ms * 10) / 10 });
  });

  app.get('/api/servers/:id/log', (c) => {
    callers.assertWhole(c.env.incoming);
    return json({ lines: callers.gatewaysOf(c.env.incoming).upstream(c.req.param('id')).stderr });
  });
}

/** Users do not get the journal's events of such a server. */
function ofTheOperator(id: string): LiveError {
  const message = `At "${id}" every user has a login of its own, and its events are for the operator of the hub (TIDINGS_TOKEN), who alone may switch tracking.`;
  return new LiveError('PERMISSION_DENIED', message);
}

function editorOf(editor: ConfigEditor | undefined): ConfigEditor {
  if (editor) return editor;
  const message = 'This hub has no configuration file. Start it with --config FILE to add and remove servers here.';
  throw new LiveError('UNAVAILABLE', message);
}
