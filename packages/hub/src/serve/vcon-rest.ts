// The REST API of the vCon server, under /api/v1 as in vcon-mcp. Every route is a tool call or a read of a resource
// with the credential of the request: permissions, redactions and checks are those of MCP.
import { parsedJson } from '@tidings/live/portable';
import type { IncomingMessage } from 'node:http';
import type { Client } from '@modelcontextprotocol/client';
import { type ErrorCode, LiveError, errorCodes } from '@tidings/live';
import { version } from '@tidings/live/version';
import { HttpRefusal } from '../http/message/answer.ts';
import { bodyOf } from '../http/message/body.ts';
import { readOnce } from '../base/read-once.ts';
import { z } from 'zod';
import { type OwnAnswer, type OwnRequest, answeredError, codeSchema } from './side-routes.ts';

const base = '/api/v1';
const mostBytes = 32_000_000;
const mostInBatch = 100;

type Args = Record<string, unknown>;

export async function vconRest({ method, url, req, client }: OwnRequest): Promise<OwnAnswer | undefined> {
  if (url.pathname !== base && !url.pathname.startsWith(`${base}/`)) return undefined;
  try {
    const path = url.pathname
      .slice(base.length + 1)
      .replace(/\/+$/, '')
      .split('/')
      .map(decodeURIComponent);
    return await new VconRest(client, url.searchParams, req).answer(`${method} ${patternOf(path)}`, path);
  } catch (error) {
    return failure(error);
  }
}

const fixed = new Set(['vcons', 'batch', 'search', 'content', 'semantic', 'hybrid', 'tags', 'schema', 'examples']);
const kinds: Record<string, string> = {
  parties: 'party',
  dialog: 'dialog',
  analysis: 'analysis',
  attachments: 'attachment',
};
const parts = new Set([...Object.keys(kinds), 'metadata', 'transcript', 'summary']);

/** `vcons/1234/dialog/0` as `vcons/:id/:kind/:id`. */
function patternOf(path: readonly string[]): string {
  return path
    .map((step, index) => {
      if (index === 2 && path[0] === 'vcons' && parts.has(step)) return ':kind';
      return fixed.has(step) || step === 'health' || step === 'version' ? step : ':id';
    })
    .join('/');
}

class VconRest {
  readonly #client: Client;
  readonly #query: URLSearchParams;
  readonly #req: IncomingMessage;

  constructor(client: Client, query: URLSearchParams, req: IncomingMessage) {
    this.#client = client;
    this.#query = query;
    this.#req = req;
  }

  async answer(route: string, path: readonly string[]): Promise<OwnAnswer> {
    const [, uuid = '', part = '', last = ''] = path;
    switch (route) {
      case 'GET health':
        return success({ status: 'healthy' });
      case 'GET version':
        return success({ version });
      case 'GET schema':
        return success(await this.#call('get_schema', this.#asked()));
      case 'GET examples/:id':
        return success(await this.#call('get_examples', { ...this.#asked(), example_type: uuid }));
      case 'GET vcons':
        return this.#list('search_vcons');
      case 'GET vcons/search/content':
        return this.#list('search_vcons_content');
      case 'GET vcons/search/semantic':
        return this.#list('search_vcons_semantic');
      case 'GET vcons/search/hybrid':
        return this.#list('search_vcons_hybrid');
      case 'GET tags/search':
        return this.#list('search_by_tags');
      case 'GET tags':
        return success(await this.#call('get_unique_tags', this.#asked()));
      case 'POST vcons':
        return success(await this.#call('create_vcon', objectSchema.parse(await this.#body())), 201);
      case 'POST vcons/batch':
        return this.#batch();
      case 'GET vcons/:id':
        return success(await this.#call('get_vcon', { ...this.#asked(), uuid }));
      case 'PATCH vcons/:id':
        return success(await this.#call('update_vcon', { uuid, updates: await this.#body() }));
      case 'DELETE vcons/:id':
        return success(await this.#call('delete_vcon', { uuid }));
      case 'GET vcons/:id/tags':
        return success(await this.#call('get_tags', { uuid }));
      case 'DELETE vcons/:id/tags':
        return success(await this.#call('remove_all_tags', { uuid }));
      case 'PUT vcons/:id/tags/:id': {
        const { value } = z.object({ value: z.union([z.string(), z.number(), z.boolean()]) }).parse(await this.#body());
        return success(await this.#call('manage_tag', { uuid, action: 'set', key: last, value }));
      }
      case 'DELETE vcons/:id/tags/:id':
        return success(await this.#call('manage_tag', { uuid, action: 'remove', key: last }));
      case 'GET vcons/:id/:kind':
        return success(objectSchema.parse(await this.#part(uuid, part)));
      case 'POST vcons/:id/:kind':
        return success(await this.#call(`add_${kindOf(part)}`, { uuid, [kindOf(part)]: await this.#body() }), 201);
      case 'PATCH vcons/:id/:kind/:id': {
        const args = { uuid, index: Number(last), [kindOf(part)]: await this.#body() };
        return success(await this.#call(`update_${kindOf(part)}`, args));
      }
      case 'DELETE vcons/:id/:kind/:id':
        return success(await this.#call(`remove_${kindOf(part)}`, { uuid, index: Number(last) }));
      default:
        throw new LiveError(
          'RESOURCE_NOT_FOUND',
          `There is no route ${route.split(' ')[0]} ${base}/${path.join('/')}.`,
        );
    }
  }

  async #list(tool: string): Promise<OwnAnswer> {
    const { response_format = 'metadata', ...asked } = this.#asked();
    const found = foundSchema.parse(await this.#call(tool, { ...asked, response_format }));
    const { results, total_count: total, has_more = false, next_cursor = null, count: _, ...more } = found;
    const data = response_format === 'full' ? results.map((result) => fullSchema.parse(result).vcon) : results;
    const limit = Number(asked['limit'] ?? 10);
    const pagination = { limit, has_more, next_cursor, ...(total !== undefined && { total }) };
    return success({ data, pagination, response_format, ...more });
  }

  async #batch(): Promise<OwnAnswer> {
    const documents = z
      .array(z.unknown())
      .min(1)
      .max(mostInBatch)
      .parse(await this.#body());
    const results: Args[] = [];
    for (const [index, document] of documents.entries()) {
      try {
        const made = await this.#call('create_vcon', objectSchema.parse(document));
        results.push({ index, success: true, uuid: made['uuid'] });
      } catch (error) {
        results.push({ index, ...failure(error).body });
      }
    }
    const failed = results.filter(({ success }) => success !== true).length;
    const body = { success: failed === 0, total: results.length, created: results.length - failed, failed, results };
    return { status: failed === 0 ? 201 : 207, body };
  }

  /** With `type` or `purpose`, only the entries that have it. */
  async #part(uuid: string, part: string): Promise<unknown> {
    const type = this.#query.get('type') ?? this.#query.get('purpose');
    const suffix = type === null ? part : `${part}/type/${encodeURIComponent(type)}`;
    const { contents } = await readOnce(this.#client, { uri: `vcon://v1/vcons/${uuid}/${suffix}` });
    const [content] = contents;
    return JSON.parse(content !== undefined && 'text' in content ? content.text : '{}');
  }

  async #call(name: string, args: Args): Promise<Args> {
    const { tools } = await this.#client.listTools();
    if (!tools.some((tool) => tool.name === name)) {
      throw new LiveError('PERMISSION_DENIED', 'Your credentials do not allow changes.');
    }
    const { isError, structuredContent, content, _meta } = await this.#client.callTool({ name, arguments: args });
    if (isError !== true) return objectSchema.parse(structuredContent);
    const [first] = content;
    const code = codeSchema.safeParse(_meta?.['tidings/code']).data ?? 'INVALID_PARAMS';
    throw new LiveError(code, first?.type === 'text' ? first.text : 'The call failed.');
  }

  /** Numbers, switches and JSON are written as text in a query. */
  #asked(): Args {
    const args: Args = {};
    for (const [name, value] of this.#query) {
      if (name === 'format' || name === 'response_format')
        args[isOfSchema(value) ? 'format' : 'response_format'] = value;
      else if (name === 'offset') refuseOffset(value);
      else if (['limit', 'threshold', 'semantic_weight', 'min_count', 'max_full_vcons'].includes(name))
        args[name] = Number(value);
      else if (['include_count', 'include_counts', 'return_full_vcons'].includes(name))
        args[name] = value === 'true' || value === '1';
      else if (name === 'tags') args[name] = parsed(value);
      else if (name === 'q') args['query'] = value;
      else args[name] = value;
    }
    return args;
  }

  #body(): Promise<unknown> {
    return bodyOf(this.#req, mostBytes);
  }
}

const objectSchema = z.record(z.string(), z.unknown());
const fullSchema = z.looseObject({ vcon: z.unknown() });
const foundSchema = z.looseObject({
  results: z.array(z.unknown()),
  count: z.number(),
  total_count: z.number().optional(),
  has_more: z.boolean().optional(),
  next_cursor: z.string().nullable().optional(),
});

function kindOf(part: string): string {
  const kind = kinds[part];
  if (kind === undefined) throw new LiveError('RESOURCE_NOT_FOUND', `${part} cannot be changed here.`);
  return kind;
}

function isOfSchema(format: string): boolean {
  return ['json_schema', 'typescript', 'json', 'yaml'].includes(format);
}

function refuseOffset(offset: string): void {
  if (offset === '0') return;
  throw new LiveError('INVALID_PARAMS', 'There is no offset: give the next_cursor of the previous page as cursor.');
}

function parsed(json: string): unknown {
  const value = parsedJson(json);
  if (value !== undefined) return value;
  throw new LiveError('INVALID_PARAMS', 'tags is a JSON object, such as {"department":"support"}.');
}

function success(body: object, status = 200): OwnAnswer {
  return { status, body: { success: true, ...body } };
}

function failure(error: unknown): OwnAnswer {
  if (error instanceof z.ZodError)
    return failed(400, 'INVALID_PARAMS', 'Send a JSON object, or for a batch 1 to 100 of them.');
  if (error instanceof URIError) return failed(400, 'INVALID_URI', 'The path has a malformed percent-escape.');
  if (error instanceof LiveError) {
    return failed(error instanceof HttpRefusal ? error.status : errorCodes[error.code].http, error.code, error.message);
  }
  const answered = answeredError(error);
  if (answered === undefined) throw error;
  return failed(errorCodes[answered.code].http, answered.code, answered.message);
}

function failed(status: number, code: ErrorCode, message: string): OwnAnswer {
  return { status, body: { success: false, error: code, message } };
}
