// `GET /api/clients`: the MCP clients of the hub, what each watches and has read. A limited token sees its own.
import type { HttpBindings } from '@hono/node-server';
import type { ClientsAnswer } from '@tidings/client/contract';
import type { Caller } from '@tidings/live';
import type { Hono } from 'hono';
import type { CallerGateways } from '../../gateway/caller-gateways.ts';
import type { ConnectionAt, KnownClients, ClientVisibility } from '../connection/known-clients.ts';
import { json } from '../message/json.ts';

export interface ClientRoutesDeps {
  clients: KnownClients;
  connections(this: void): readonly ConnectionAt[];
  /** How many read the event stream. */
  eventStreams(this: void): number;
  callerOf(this: void, req: HttpBindings['incoming']): Caller;
  gateways: CallerGateways;
}

export function clientRoutes(
  app: Hono<{ Bindings: HttpBindings }>,
  { clients, connections, eventStreams, callerOf, gateways }: ClientRoutesDeps,
): void {
  app.get('/api/clients', (c) => {
    const caller = callerOf(c.env.incoming);
    const permissions = gateways.permissionsOf(caller);
    // Others may have read what only their own logins show.
    const isWhole = permissions.isWhole && (permissions.isOperator || !gateways.hasSecrets);
    const shown: ClientVisibility = {
      isShown: (subject) => isWhole || subject === caller.auth?.subject,
      isOpen: ({ serverId, uri }) => isWhole || permissions.opens(serverId, uri),
    };
    const answer: ClientsAnswer = {
      clients: clients.list(connections(), shown),
      eventStreams: isWhole ? eventStreams() : null,
    };
    return json(answer);
  });
}
