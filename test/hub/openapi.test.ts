// `GET /api/openapi.json` describes every route, and responses of a running hub match it.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { eventually } from '@tidings/live/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openApiDocument } from '../../packages/hub/src/http/openapi/openapi.ts';
import { routesInSources } from '../support/routes-in-sources.ts';
import { NotesUpstream } from './notes-upstream.ts';
import { type RunningHub, runningHub } from './running-hub.ts';

const media = z.record(z.string(), z.strictObject({ schema: z.record(z.string(), z.unknown()) }));
const parameter = z.strictObject({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean().optional(),
  description: z.string().optional(),
  schema: z.record(z.string(), z.unknown()),
});
/** The part of OpenAPI 3.1 that the document uses. */
const documentSchema = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  paths: z.record(
    z.string().startsWith('/'),
    z.partialRecord(
      z.enum(['get', 'post', 'patch', 'delete']),
      z.strictObject({
        summary: z.string().min(1),
        security: z.tuple([]).optional(),
        parameters: z.array(parameter).optional(),
        requestBody: z.strictObject({ required: z.literal(true), content: media }).optional(),
        responses: z.record(
          z.string().regex(/^\d{3}$|^default$/),
          z.strictObject({ description: z.string(), content: media.optional() }),
        ),
      }),
    ),
  ),
  components: z.strictObject({ schemas: z.record(z.string(), z.unknown()), securitySchemes: z.looseObject({}) }),
});
type Document = z.infer<typeof documentSchema>;

const document = documentSchema.parse(JSON.parse(JSON.stringify(openApiDocument())));
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false }).addKeyword('components');

describe('the OpenAPI document', () => {
  const paths = Object.entries(document.paths);
  const described = new Set(
    paths.flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`)),
  );

  it('has every route of the sources', () => {
    // Hono writes `/api/servers/:id` and `/resources/:uri{.+}`; an id follows `/mcp/`.
    const asPath = (path: string) =>
      path
        .replaceAll(/:(\w+)(?:\{[^}]*\})?/g, '{$1}')
        .replace(/^\/mcp\/$/, '/mcp/{id}')
        .replace(/^\/resources\/$/, '/resources/{uri}');
    const missing = routesInSources().filter((route) => {
      const [verb = '', path] = route.split(' ');
      return path === undefined ? !(asPath(verb) in document.paths) : !described.has(`${verb} ${asPath(path)}`);
    });
    expect(missing, 'describe these in packages/hub/src/http/openapi/described-routes.ts').toEqual([]);
  });

  it('has schemas that a validator accepts', () => {
    const operations = paths.flatMap(([, methods]) => Object.values(methods));
    const schemas = operations.flatMap(({ parameters = [], requestBody, responses }) => {
      const contents = [requestBody, ...Object.values(responses)].map((part) => Object.values(part?.content ?? {}));
      return [parameters, contents.flat()].flat().map(({ schema }) => schema);
    });
    expect(schemas.length).toBeGreaterThan(40);
    for (const schema of schemas) compiled(schema);
  });

  it('names the parameters of its paths', () => {
    for (const [path, methods] of paths) {
      const named = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name);
      for (const { parameters = [] } of Object.values(methods)) {
        expect(parameters.filter((each) => each.in === 'path').map(({ name }) => name)).toEqual(named);
      }
    }
  });
});

describe('responses of a hub', () => {
  let upstream: NotesUpstream;
  let hub: RunningHub;
  let served: Document;

  beforeAll(async () => {
    upstream = await NotesUpstream.start('modern');
    upstream.put('a', 'first');
    hub = await runningHub({ servers: [upstream.entry('notes')] });
    await hub.isLive('notes');
    upstream.put('a', 'second');
    await eventually('a version', async () => JSON.stringify(await hub.json(versions)).includes('"version":1'));
    served = documentSchema.parse(await hub.json('/api/openapi.json'));
  });
  afterAll(async () => {
    await hub[Symbol.asyncDispose]();
    await upstream[Symbol.asyncDispose]();
  });

  it('match the document that it serves', () => {
    expect(served).toEqual(document);
  });

  const versions = '/api/versions?uri=note%3A%2F%2Fa';
  it.each([
    ['get', '/api/servers', '/api/servers'],
    ['patch', '/api/servers/{id}', '/api/servers/notes', { tracked: true }],
    ['get', '/api/servers/{id}/log', '/api/servers/notes/log'],
    ['get', '/api/servers/{id}/definitions', '/api/servers/notes/definitions'],
    ['get', '/api/resources', '/api/resources?limit=1'],
    ['get', '/api/versions', versions],
    ['get', '/api/versions', `${versions}&version=1`],
    ['get', '/api/events', '/api/events'],
    ['get', '/api/sessions', '/api/sessions'],
    ['get', '/api/sessions/{id}/transcript', '/api/sessions/transcript/transcript'],
    ['get', '/api/demo', '/api/demo'],
    ['post', '/api/demo', '/api/demo', {}],
    ['get', '/api/whoami', '/api/whoami'],
    ['get', '/healthz', '/healthz'],
    ['get', '/readyz', '/readyz'],
    ['get', '/login', '/login'],
    ['get', '/metrics', '/metrics'],
    ['get', '/', '/'],
    ['get', '/resources/{uri}', '/resources/note%3A%2F%2Fa'],
    ['post', '/logout', '/logout', {}],
    ['delete', '/api/sessions/{id}', '/api/sessions/none'],
    ['get', '/api/events', '/api/events?last=0'],
    ['post', '/api/servers/{id}/trust', '/api/servers/notes/trust', {}],
    ['post', '/api/sessions', '/api/sessions', { kind: 'stdout', id: 'lines' }],
    ['post', '/api/sessions', '/api/sessions', { kind: 'none' }],
    ['post', '/hooks/{host}', '/hooks/codex', { session_id: 's', hook_event_name: 'UserPromptSubmit' }],
    ['post', '/hooks/{host}', '/hooks/none', {}],
    ['post', '/api/servers/{id}/restart', '/api/servers/notes/restart', {}],
  ] as const)('%s %s: %s', async (method, route, path, body?: object) => {
    const operation = served.paths[route]?.[method];
    const response = await fetch(`${hub.url}${path}`, {
      method: method.toUpperCase(),
      redirect: 'manual',
      ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    });
    const expected = operation?.responses[String(response.status)] ?? operation?.responses['default'];
    const type = response.headers.get('content-type')?.split(';')[0] ?? '';
    const text = await response.text();
    // An error must have the common shape of errors.
    expect(response.ok || response.status === 303 || text.startsWith('{"error"')).toBe(true);
    const schema = expected?.content?.[type] ?? expected?.content?.['*/*'];
    expect(schema === undefined, `${response.status} ${type}`).toBe(text === '');
    if (schema === undefined) return;
    const validate = compiled(schema.schema);
    validate(type === 'application/json' ? JSON.parse(text) : text);
    expect(validate.errors ?? []).toEqual([]);
  });
});

/** Schemas of the document refer to each other. */
function compiled(schema: object) {
  return ajv.compile({ ...schema, components: document.components });
}
