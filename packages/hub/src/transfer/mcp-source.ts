// The vCons of any vCon MCP server, over HTTP. Their ids are listed page by page: by the cursor of vcon://v1/vcons/ids
// if the server has a real one, else by search_vcons, from the newest back in time.
import { LiveError, systemClock } from '@tidings/live';
import { isDeeperThan, maxMessageLevels } from '@tidings/live/internal';
import { messageOf, shortLine, startOf, webAddress } from '@tidings/live/portable';
import { ConnectFailure, type ServerSession, listAll } from '@tidings/track/session';
import type { RemoteDocument, RemotePage, RemoteSource } from '@tidings/vcon';
import { z } from 'zod';
import { openRemoteSession } from './remote-session.ts';

const pageSize = 100;
/** Documents requested at the same time. */
const atOnce = 4;
/** Bytes of documents that are held before they are passed on, even within a page. */
const mostBytesHeld = 64_000_000;
/** After this many pages in a row without a document, the list counts as endless. */
const mostEmptyPages = 100;
const longestPage = 1000;
/** A document of 64 MB, the largest that is imported, as a string within JSON. */
const largestMessage = 128_000_000;
const base = 'vcon://v1/vcons';

const listedSchema = z.object({ uuid: z.string(), created_at: z.string().optional().catch(undefined) });
const idsSchema = z.object({
  vcons: z.array(listedSchema),
  next_cursor: z.string().nullish(),
  has_more: z.boolean().optional(),
});
const foundSchema = z.object({ results: z.array(listedSchema), total_count: z.number().optional() });
/** Empty texts stand for the first page. */
const cursorSchema = z.union([
  z.object({ after: z.string() }),
  z.object({ until: z.string(), seen: z.array(z.string()) }),
]);
const gotSchema = z.object({ vcon: z.looseObject({}) });

type Cursor = z.infer<typeof cursorSchema>;
interface ListedPage {
  uuids: string[];
  /** The cursor of the next page; undefined after the last one. */
  next: Cursor | undefined;
}

/** `token` is sent as a bearer token. Larger messages than `maxMessageBytes` are refused. */
export function mcpSource(url: string, token: string | undefined, maxMessageBytes = largestMessage): RemoteSource {
  const { address, name } = addressOf(url);
  const connect = async () => {
    try {
      return new VconServerClient(await openRemoteSession({ url: address, token, maxMessageBytes }));
    } catch (error) {
      throw explained(error, name);
    }
  };
  return {
    name,
    async count() {
      const server = await connect();
      try {
        return await server.count();
      } catch (error) {
        throw explained(error, name);
      } finally {
        await server.close();
      }
    },
    async *pages(after) {
      const server = await connect();
      try {
        yield* server.pages(after === undefined ? { after: '' } : cursorSchema.parse(JSON.parse(after)));
      } catch (error) {
        throw explained(error, name);
      } finally {
        await server.close();
      }
    },
  };
}

class VconServerClient {
  readonly #session: ServerSession;
  #tools: ReadonlySet<string> | undefined;

  constructor(session: ServerSession) {
    this.#session = session;
  }

  async count(): Promise<number | undefined> {
    if (!(await this.#has('search_vcons'))) return undefined;
    const answer = await this.#call('search_vcons', { limit: 1, include_count: true, response_format: 'metadata' });
    return foundSchema.safeParse(answer).data?.total_count;
  }

  async *pages(from: Cursor): AsyncGenerator<RemotePage> {
    let emptyPages = 0;
    for (let at = from; ;) {
      const { uuids, next } = await this.#list(at);
      const [here, after] = [JSON.stringify(at), JSON.stringify(next ?? at)];
      if (uuids.length > longestPage) throw endless(`a page of ${uuids.length} vCons instead of ${pageSize}`);
      if (next !== undefined && here === after) throw endless('the same cursor twice');
      emptyPages = uuids.length === 0 ? emptyPages + 1 : 0;
      if (emptyPages > mostEmptyPages) throw endless(`${emptyPages} pages in a row without a vCon`);
      let documents: RemoteDocument[] = [];
      for (let first = 0; first < uuids.length; first += atOnce) {
        documents.push(...(await Promise.all(uuids.slice(first, first + atOnce).map((uuid) => this.#document(uuid)))));
        if (bytesOf(documents) < mostBytesHeld) continue;
        // An import that stops here begins with this page again.
        yield { documents, cursor: here };
        documents = [];
      }
      if (documents.length > 0) yield { documents, cursor: after };
      if (next === undefined) return;
      at = next;
    }
  }

  close(): Promise<void> {
    return this.#session.close();
  }

  async #list(at: Cursor): Promise<ListedPage> {
    if ('until' in at) return this.#listByTime(at);
    const path = at.after === '' ? '' : `/after/${encodeURIComponent(at.after)}`;
    const page = idsSchema.safeParse(await this.#read(`${base}/ids/${pageSize}${path}`).catch(ignoreAnswer)).data;
    const next = page?.next_cursor ?? undefined;
    // A cursor that is a time would skip documents created at that time, or go the wrong way.
    const isExact =
      page !== undefined && (next === undefined ? page.has_more !== true : Number.isNaN(Date.parse(next)));
    if (!isExact && (await this.#has('search_vcons'))) return this.#listByTime({ until: '', seen: [] });
    if (page === undefined) throw notAVconServer();
    return { uuids: page.vcons.map(({ uuid }) => uuid), next: next === undefined ? undefined : { after: next } };
  }

  /** Documents created up to a time, the newest first. The next page begins at the time of the last one. */
  async #listByTime({ until, seen }: { until: string; seen: readonly string[] }): Promise<ListedPage> {
    for (let limit = pageSize; ; limit = 1000) {
      const args = { limit, response_format: 'metadata', ...(until !== '' && { end_date: until }) };
      const { results } = foundSchema.parse(await this.#call('search_vcons', args));
      const fresh = results.filter(({ uuid }) => !seen.includes(uuid));
      const last = results.at(-1)?.created_at;
      if (results.length < limit || last === undefined)
        return { uuids: fresh.map(({ uuid }) => uuid), next: undefined };
      const atLast = results.filter(({ created_at }) => created_at === last).map(({ uuid }) => uuid);
      const next = { until: last, seen: last === until ? [...new Set([...seen, ...atLast])] : atLast };
      if (fresh.length > 0) return { uuids: fresh.map(({ uuid }) => uuid), next };
      // All documents of this page share one time: a larger page may reach beyond them.
      if (limit >= 1000) throw tooManyAtOnce(last);
    }
  }

  async #document(uuid: string): Promise<RemoteDocument> {
    try {
      const value = await this.#whole(uuid);
      if (isDeeperThan(value, maxMessageLevels)) throw new DocumentFault('it is nested too deep');
      return { value, bytes: JSON.stringify(value).length };
    } catch (error) {
      if (!(error instanceof DocumentFault)) throw error;
      // The uuid and the message are text of the server.
      return { problem: `${shortLine(uuid)}: ${shortLine(error.message)}` };
    }
  }

  async #whole(uuid: string): Promise<unknown> {
    try {
      return await this.#read(`${base}/${uuid}`);
    } catch (error) {
      if (!(await this.#has('get_vcon')) || !isAnswer(error)) throw faultOf(error);
    }
    try {
      return gotSchema.parse(await this.#call('get_vcon', { uuid, response_format: 'full' })).vcon;
    } catch (error) {
      throw faultOf(error);
    }
  }

  async #read(uri: string): Promise<unknown> {
    const { contents } = await this.#session.work((client) => client.readResource({ uri }));
    const [content] = contents;
    if (content === undefined || !('text' in content)) throw new DocumentFault(`${uri} holds no text`);
    return JSON.parse(content.text);
  }

  /** Older servers answer with text only. */
  async #call(name: string, args: Record<string, unknown>): Promise<unknown> {
    const { isError, structuredContent, content } = await this.#session.work((client) =>
      client.callTool({ name, arguments: args }),
    );
    const [first] = content;
    const text = first?.type === 'text' ? first.text : '';
    if (isError === true) throw new DocumentFault(`${name} failed: ${startOf(text, 300)}`);
    return structuredContent ?? JSON.parse(text);
  }

  async #has(tool: string): Promise<boolean> {
    this.#tools ??= await this.#toolNames();
    return this.#tools.has(tool);
  }

  async #toolNames(): Promise<ReadonlySet<string>> {
    if (this.#session.capabilities.tools === undefined) return new Set();
    const { items } = await this.#session.work((client) => listAll(client, 'tools', { clock: systemClock }));
    return new Set(items.map(({ name }) => name));
  }
}

/** Why one document is missing, while others may follow. */
class DocumentFault extends Error {
  override readonly name = 'DocumentFault';
}

function faultOf(error: unknown): unknown {
  return isAnswer(error) ? new DocumentFault(messageOf(error)) : error;
}

/** Whether the server has answered, if only with an error or something unexpected; false if it cannot be reached. */
function isAnswer(error: unknown): boolean {
  if (error instanceof DocumentFault || error instanceof SyntaxError || error instanceof z.ZodError) return true;
  return error instanceof Error && 'code' in error && typeof error.code === 'number';
}

/** Ignores an error response; throws if the server cannot be reached. */
function ignoreAnswer(error: unknown): undefined {
  if (!isAnswer(error)) throw error;
}

function bytesOf(documents: readonly RemoteDocument[]): number {
  return documents.reduce((sum, document) => sum + ('bytes' in document ? document.bytes : 0), 0);
}

const addressProblems = {
  form: 'A vCon MCP server is given as http://127.0.0.1:3000/mcp.',
  credentials: 'The token belongs into TIDINGS_IMPORT_TOKEN, not into the URL.',
};

function addressOf(url: string): { address: URL; name: string } {
  const address = webAddress(url, (fault) => new LiveError('INVALID_PARAMS', addressProblems[fault]));
  return { address, name: `${address.origin}${address.pathname}` };
}

function notAVconServer(): LiveError {
  return new LiveError(
    'UNAVAILABLE',
    `This server has neither ${base}/ids nor the tool search_vcons: is it a vCon server?`,
  );
}

function tooManyAtOnce(time: string): LiveError {
  const problem = `More than 1000 vCons were created at ${time}, and this server cannot list the others`;
  return new LiveError('UNAVAILABLE', `${problem}: import from its database instead.`);
}

function endless(what: string): LiveError {
  return new LiveError('UNAVAILABLE', `The list of this server does not end: it gave ${what}.`);
}

function explained(error: unknown, name: string): LiveError {
  if (error instanceof LiveError) return error;
  const failure = error instanceof ConnectFailure ? error : new ConnectFailure(error, (text) => text);
  const { message, systemCode, httpStatus } = failure;
  return new LiveError('UNAVAILABLE', `${name} cannot be read: ${reasonOf(message, systemCode, httpStatus)}.`);
}

function reasonOf(message: string, systemCode?: string, httpStatus?: number): string {
  if (systemCode === 'ECONNREFUSED') return 'nothing listens there. Start the server, or check its address';
  if (systemCode !== undefined) return `there is no connection to it (${systemCode})`;
  if (httpStatus === 401 || httpStatus === 403)
    return 'it refuses the token. Set TIDINGS_IMPORT_TOKEN to one that it accepts';
  return message;
}
