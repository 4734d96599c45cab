// `GET /api/versions?uri=`: the kept versions of a tracked resource, and with `&version=` the contents of one.
import type { HttpBindings } from '@hono/node-server';
import { type Caller, LiveError } from '@tidings/live';
import type { VersionAnswer, VersionsAnswer } from '@tidings/client/contract';
import type { Version } from '@tidings/track';
import type { Hono } from 'hono';
import { addressOf } from '../../gateway/address.ts';
import type { Gateways } from '../../gateway/gateways.ts';
import { versionsQuery } from '../openapi/schemas.ts';
import { json } from '../message/json.ts';

interface VersionRoutesDeps {
  /** The gateways of the caller of this request. */
  gatewaysFor(this: void, req: HttpBindings['incoming']): Gateways;
  callerOf(this: void, req: HttpBindings['incoming']): Caller;
  /** Counts so many bytes as unread by the caller, until the response is closed. Throws if there are too many. */
  keepUnread(this: void, res: HttpBindings['outgoing'], bytes: number): void;
}

export function versionRoutes(
  app: Hono<{ Bindings: HttpBindings }>,
  { gatewaysFor, callerOf, keepUnread }: VersionRoutesDeps,
): void {
  app.get('/api/versions', (c) => {
    const { uri, server, version } = versionsQuery.parse(c.req.query());
    const asked = server === undefined ? uri : addressOf({ serverId: server, uri });
    const kept = gatewaysFor(c.env.incoming).directory.versions(callerOf(c.env.incoming), asked);
    const about = { serverId: kept.serverId, uri: kept.uri };
    if (version === undefined) {
      const answer: VersionsAnswer = { ...about, versions: kept.versions.map(shownVersion) };
      return json(answer);
    }
    const chosen = kept.versions.find(({ number }) => number === version);
    if (chosen === undefined) {
      throw new LiveError(
        'RESOURCE_NOT_FOUND',
        `Version ${version} is not kept (any more). GET /api/versions?uri= lists those that are.`,
        uri,
      );
    }
    keepUnread(c.env.outgoing, chosen.bytes);
    const answer: VersionAnswer = { ...about, ...shownVersion(chosen), contents: [...chosen.contents] };
    return json(answer);
  });
}

function shownVersion({ number, readAt, hash, bytes, contents }: Version): VersionsAnswer['versions'][number] {
  const mimeTypes = [...new Set(contents.flatMap(({ mimeType }) => mimeType ?? []))];
  return { version: number, readAt: new Date(readAt).toISOString(), hash, bytes, mimeTypes };
}
