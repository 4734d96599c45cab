// `GET /api/clients`: the MCP clients of the hub, what each watches and has read. A limited token sees its own.
import type { HttpBindings } from '@hono/node-server';
import type { ClientsAnswer } from '@tidings/client/contract';
import type { Tracker } from '@tidings/track';
import type { Hono } from 'hono';
import type { CallerGateways } from '../../gateway/caller-gateways.ts';
import type { RequestCallers } from '../admission/request-callers.ts';
import type { KnownClients, ClientVisibility } from '../connection/known-clients.ts';
import type { GatewayEndpoints } from './gateway-endpoints.ts';
import { json } from '../message/json.ts';

interface ClientRoutesDeps {
  clients: Pick<KnownClients, 'list'>;
  endpoints: Pick<GatewayEndpoints, 'connections'>;
  tracker: Pick<Tracker, 'events'>;
  gateways: Pick<CallerGateways, 'permissionsOf' | 'hasSecrets'>;
  callers: Pick<RequestCallers, 'callerOf'>;
}

export function clientRoutes(
  app: Hono<{ Bindings: HttpBindings }>,
  { clients, endpoints, tracker, gateways, callers }: ClientRoutesDeps,
): void {
  app.get('/api/clients', (c) => {
    const caller = callers.callerOf(c.env.incoming);
    const permissions = gateways.permissionsOf(caller);
    // Other users may have read resources that only their own logins show.
    const isWhole = permissions.isWhole && (permissions.isOperator || !gateways.hasSecrets);
    const shown: ClientVisibility = {
      isShown: (subject) => isWhole || subject === caller.auth?.subject,
      isOpen: ({ serverId, uri }) => isWhole || permissions.opens(serverId, uri),
    };
    const answer: ClientsAnswer = {
      clients: clients.list(endpoints.connections(), shown),
      eventStreams: isWhole ? tracker.events.readers : null,
    };
    return json(answer);
  });
}
