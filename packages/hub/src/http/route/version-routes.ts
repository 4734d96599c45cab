// `GET /api/versions?uri=`: the kept versions of a tracked resource, and with `&version=` the contents of one.
import type { HttpBindings } from '@hono/node-server';
import { LiveError } from '@tidings/live';
import type { VersionAnswer, VersionsAnswer } from '@tidings/client/contract';
import type { Version } from '@tidings/track';
import type { Hono } from 'hono';
import { addressOf } from '../../gateway/owner/address.ts';
import type { RequestCallers } from '../admission/request-callers.ts';
import type { OpenAnswers } from '../connection/open-answers.ts';
import { versionsQuery } from '../openapi/schemas.ts';
import { json } from '../message/json.ts';

interface VersionRoutesDeps {
  callers: Pick<RequestCallers, 'callerOf' | 'gatewaysOf'>;
  open: Pick<OpenAnswers, 'keep'>;
}

export function versionRoutes(app: Hono<{ Bindings: HttpBindings }>, { callers, open }: VersionRoutesDeps): void {
  app.get('/api/versions', (c) => {
    const { uri, server, version } = versionsQuery.parse(c.req.query());
    const requestedUri = server === undefined ? uri : addressOf({ serverId: server, uri });
    const kept = callers.gatewaysOf(c.env.incoming).directory.versions(callers.callerOf(c.env.incoming), requestedUri);
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
    open.keep(c.env.outgoing, chosen.bytes);
    const answer: VersionAnswer = { ...about, ...shownVersion(chosen), contents: [...chosen.contents] };
    return json(answer);
  });
}

function shownVersion({ number, readAt, hash, bytes, contents }: Version): VersionsAnswer['versions'][number] {
  const mimeTypes = [...new Set(contents.flatMap(({ mimeType }) => mimeType ?? []))];
  return { version: number, readAt: new Date(readAt).toISOString(), hash, bytes, mimeTypes };
}
