// `/api/servers/{id}/definitions` and `/api/servers/{id}/trust`: the changed definitions of a pinned server, and agreeing to them.
import type { HttpBindings } from '@hono/node-server';
import { LiveError } from '@tidings/live';
import { startOf } from '@tidings/live/portable';
import { eventLoopTurn } from '@tidings/live/time';
import type { Tracker, Upstream } from '@tidings/track';
import type { Hono } from 'hono';
import type { HttpAudit } from '../admission/http-audit.ts';
import type { RequestCallers } from '../admission/request-callers.ts';
import { bodyOf } from '../message/body.ts';
import { definitionsQuery, trustSchema } from '../openapi/schemas.ts';
import type { ShownDefinition } from '@tidings/client/contract';
import { definitionForReview } from './shown-definition.ts';
import { json } from '../message/json.ts';

/** Definitions in one line of the audit log. */
const mostNamed = 20;

/** The most in one response; the rest follows after these are decided. */
const mostShown = 100;

interface DefinitionRoutesDeps {
  tracker: Pick<Tracker, 'trust'>;
  callers: Pick<RequestCallers, 'gatewaysOf' | 'assertWhole'>;
  audit: Pick<HttpAudit, 'decided'>;
}

export function definitionRoutes(
  app: Hono<{ Bindings: HttpBindings }>,
  { tracker, callers, audit }: DefinitionRoutesDeps,
): void {
  const answerOf = async (upstream: Upstream, { kind, name }: { kind?: string; name?: string } = {}) => {
    const all = upstream.definitions.held();
    const isOne = kind !== undefined || name !== undefined;
    const chosen = all.filter((each) => (kind ?? each.kind) === each.kind && (name ?? each.name) === each.name);
    if (isOne && chosen.length === 0) {
      throw new LiveError('RESOURCE_NOT_FOUND', 'No such definition of this server is held back.');
    }
    const held: ShownDefinition[] = [];
    for (const each of chosen.slice(0, mostShown)) {
      held.push(definitionForReview(each, isOne));
      // Yields between two comparisons.
      await eventLoopTurn();
    }
    return { pinned: upstream.entry.pin === true, total: all.length, held };
  };

  app.get('/api/servers/:id/definitions', async (c) => {
    // A definition may describe anything.
    callers.assertWhole(c.env.incoming);
    const { kind, name } = definitionsQuery.parse(c.req.query());
    const upstream = callers.gatewaysOf(c.env.incoming).upstream(c.req.param('id'));
    return json(await answerOf(upstream, { ...(kind && { kind }), ...(name !== undefined && { name }) }));
  });

  app.post('/api/servers/:id/trust', async (c) => {
    callers.assertWhole(c.env.incoming);
    const { definitions } = trustSchema.parse(await bodyOf(c.env.incoming));
    const server = c.req.param('id');
    const upstream = callers.gatewaysOf(c.env.incoming).upstream(server);
    if (upstream.user !== undefined) throw notYours();
    await tracker.trust(server, definitions);
    const named = definitions.map(({ kind, name, hash }) => startOf(`${kind} ${name} ${hash.slice(0, 12)}`, 200));
    const rest = definitions.length > mostNamed ? [`and ${definitions.length - mostNamed} more`] : [];
    audit.decided(c.env.incoming, {
      method: 'trust',
      server,
      detail: [...named.slice(0, mostNamed), ...rest].join('; '),
    });
    return json(await answerOf(upstream));
  });
}

function notYours(): LiveError {
  const message =
    'At this server every user has a login of its own, and the operator of the hub (TIDINGS_TOKEN) agrees for all.';
  return new LiveError('PERMISSION_DENIED', message);
}
