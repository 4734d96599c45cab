// `GET /api/resources`: the resources of all servers that the caller may see. `GET /resources/{percent-encoded URI}`: the
// content of one.
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import type { RequestCallers } from '../admission/request-callers.ts';
import { bridge } from './bridge.ts';
import { assertNotRun } from '../message/cross-origin.ts';
import { leftSignal } from '../connection/left-signal.ts';
import type { OpenAnswers } from '../connection/open-answers.ts';
import { type ListingDeps, indexAfterAddress, listedResources, shownResource } from './listed-resources.ts';
import { resourcesQuery } from '../openapi/schemas.ts';
import { json } from '../message/json.ts';

interface ResourceRoutesDeps {
  listing: ListingDeps;
  callers: Pick<RequestCallers, 'callerOf' | 'gatewaysOf'>;
  open: Pick<OpenAnswers, 'keep'>;
}

export function resourceRoutes(
  app: Hono<{ Bindings: HttpBindings }>,
  { listing, callers, open }: ResourceRoutesDeps,
): void {
  app.get('/api/resources', async (c) => {
    const { server, q, after, limit } = resourcesQuery.parse(c.req.query());
    const found = await listedResources(listing, callers.callerOf(c.env.incoming), { server, q });
    const start = after === undefined ? 0 : indexAfterAddress(found, after);
    const page = found.slice(start, start + limit).map(shownResource);
    const hasMore = start + page.length < found.length;
    return json({
      resources: page,
      total: found.length,
      next_cursor: hasMore ? (page.at(-1)?.address ?? null) : null,
    });
  });

  // Hono answers HEAD like GET, without the body.
  app.get('/resources/:uri{.+}', async (c) => {
    assertNotRun(c.env.incoming);
    // The raw path: a slash in it may be encoded or not.
    const { pathname } = new URL(c.req.url);
    // Hono decodes escaped letters of the route.
    if (!pathname.startsWith('/resources/')) return c.notFound();
    const encoded = pathname.slice('/resources/'.length);
    const target = { encoded, server: c.req.query('server'), left: leftSignal(c.env.outgoing) };
    const { body, type, etag } = await bridge(
      callers.gatewaysOf(c.env.incoming).directory,
      callers.callerOf(c.env.incoming),
      target,
    );
    const headers = {
      'Content-Type': type,
      ETag: etag,
      'Cache-Control': 'no-cache',
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': resourcePolicy,
    };
    if (isKnown(c.req.header('if-none-match'), etag)) return c.body(null, 304, headers);
    open.keep(c.env.outgoing, body.length);
    return c.body(Uint8Array.from(body), 200, { ...headers, 'Content-Length': String(body.length) });
  });
}

/** A resource that is a web page must not run with the hub's origin, nor send requests. */
const resourcePolicy =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; frame-ancestors 'self'";

/** A weak ETag is the same content after compression. */
function isKnown(header: string | undefined, etag: string): boolean {
  const known = new Set((header ?? '').split(',').map((each) => each.trim().replace(/^W\//, '')));
  return known.has(etag) || known.has('*');
}
