// `GET /api/openapi.json`: the described routes as an OpenAPI 3.1 document.
import { errorAnswer } from '@tidings/client/contract';
import { version } from '@tidings/live/version';
import { z } from 'zod';
import type { DescribedAnswer, DescribedRoute } from './described-route.ts';
import { describedRoutes } from './described-routes.ts';

type Json = Readonly<Record<string, unknown>>;

interface OpenApiDocument {
  openapi: '3.1.0';
  info: Json;
  security: readonly Json[];
  paths: Record<string, Record<string, Json>>;
  components: Json;
}

export function openApiDocument(): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {};
  for (const route of describedRoutes) (paths[route.path] ??= {})[route.method] = operation(route);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tidings hub',
      version,
      description: 'Fields that are not named here may be added to answers; ignore those that you do not know.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    security: [{}, { token: [] }, { cookie: [] }],
    paths,
    components: {
      schemas: { Error: schemaOf(errorAnswer) },
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token of the hub, or an access token of one of its issuers.',
        },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'tidings-7411',
          description: 'Of a browser that has logged in. The name has the port; over TLS it begins with __Host-.',
        },
      },
    },
  };
}

function operation({ path, summary, isOpen, query, headers = {}, body, answers }: DescribedRoute): Json {
  const parameters = [
    ...Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...(query ? queryParameters(query) : []),
    ...Object.entries(headers).map(([name, description]) => ({
      name,
      in: 'header',
      description,
      schema: { type: 'string' },
    })),
  ];
  return {
    summary,
    ...(isOpen && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: { [body.type]: { schema: schemaOf(body.schema) } } } }),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, response(answer)])),
      default: {
        description: 'An error: a code and a message that says what to do',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

function queryParameters(query: z.ZodObject): Json[] {
  const { properties = {}, required = [] } = schemaOf(query);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

function response({ description, content }: DescribedAnswer): Json {
  const types = Object.entries(content).map(([type, schema]) => [type, { schema: schemaOf(schema) }]);
  return { description, ...(types.length > 0 && { content: Object.fromEntries(types) }) };
}

/** As input, so that unknown fields are allowed where the schema is not strict. */
function schemaOf(schema: z.core.$ZodType): z.core.JSONSchema.JSONSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return rest;
}
