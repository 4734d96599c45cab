// A client for tests, with the same methods in both eras: subscribe, collect notifications, read, call.
import { PassThrough } from 'node:stream';
import {
  Client,
  LOG_LEVEL_META_KEY,
  type LoggingLevel,
  type LoggingMessageNotificationParams,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport, type StdioServerParameters } from '@modelcontextprotocol/client/stdio';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { checkValue, oneOf } from '../base/check-options.ts';
import type { LiveServer } from '../live-server.ts';
import { modernVersion } from '../portable/protocol-version.ts';
import { serveMemory } from '../serve/memory.ts';
import { serveStdio } from '../serve/stdio.ts';
import type { Credential } from '../resource/caller.ts';
import { eventually } from './eventually.ts';

/** Clients from 2026-07-28 on are modern, those up to 2025-11-25 legacy. */
export type Era = 'modern' | 'legacy';

/** One interface for clients of both eras. */
export interface TestClient {
  readonly era: Era;
  /** URIs of the `resources/updated` notifications, in order of arrival. */
  readonly updates: readonly string[];
  /** Methods of the `list_changed` notifications, in order of arrival. */
  readonly listChanges: readonly string[];
  /** Log messages, in order of arrival. */
  readonly logs: readonly LogMessage[];
  /** Capabilities the server advertised. */
  readonly capabilities: { resources?: { subscribe?: boolean | undefined } | undefined } | undefined;
  /** Subscribes to these URIs; in the modern era also to list changes. Resolves when the subscription is in force. */
  subscribe(...uris: string[]): Promise<TestSubscription>;
  listAll(): Promise<string[]>;
  /** The text of the first content; for bytes, their base64. */
  read(uri: string): Promise<string>;
  /** The text of the first content; rejects with a `ToolFailure` if the tool failed. */
  call(tool: string, args?: Record<string, unknown>): Promise<string>;
  /** Asks for log messages of this level and above, for every later `read` and `call`. */
  setLogLevel(level: LoggingLevel): Promise<void>;
  close(): Promise<void>;
}

/** A log message: `level`, `data`, and the name of its `logger` if it has one. */
export type LogMessage = LoggingMessageNotificationParams;

/**
 * Thrown when a tool answers with `isError`.
 *
 * @example
 * await expect(client.call('delete_note', { id: 'none' })).rejects.toThrow(ToolFailure);
 */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
  /** The stable code, if the server is built with the kit and the failure has one. */
  readonly code: string | undefined;

  constructor(text: string, code: string | undefined) {
    super(text);
    this.code = code;
  }
}

/** A subscription that is in force. */
export interface TestSubscription {
  /** The URIs that the server accepted. */
  readonly honored: readonly string[];
  end(): Promise<void>;
}

/**
 * Connects to the server at this address. Fails if the server does not support the era. Default: no additional headers.
 *
 * @example
 * const client = await connectHttp('http://127.0.0.1:3000/mcp', 'modern');
 */
export function connectHttp(url: string, era: Era, headers: Record<string, string> = {}): Promise<TestClient> {
  return connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }), era);
}

/**
 * Connects without a socket: `handler` is the `fetch` of a `webEndpoint`, or of an application around it.
 *
 * @example
 * const client = await connectFetch(webEndpoint(server).fetch, 'modern');
 */
export function connectFetch(
  handler: (request: Request) => Response | Promise<Response>,
  era: Era,
  headers: Record<string, string> = {},
): Promise<TestClient> {
  const fetch = async (url: string | URL, init?: RequestInit) => handler(new Request(url, init));
  return connect(
    new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), { fetch, requestInit: { headers } }),
    era,
  );
}

/**
 * Starts a program and connects to it over stdio. The program ends when the client is closed.
 *
 * @example
 * const client = await connectStdio({ command: 'node', args: ['server.js'] }, 'legacy');
 */
export function connectStdio(command: StdioServerParameters, era: Era): Promise<TestClient> {
  // The SDK's own negotiation would start the server twice, and take a server that exits at the first start for a
  // legacy one.
  return connect(new StdioClientTransport(command), era, era === 'modern' ? { pin: modernVersion } : 'legacy');
}

/**
 * As `connectStdio`, with both ends in this process: the same lines over two pipes, without starting a process.
 *
 * @example
 * const client = await connectPipes(server, 'legacy');
 */
export function connectPipes(server: LiveServer, era: Era): Promise<TestClient> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  serveStdio(server, { input, output });
  // The output of one side is the input of the other.
  return connect(new StdioServerTransport(output, input), era);
}

/**
 * A client in this process. `auth` is the credential that the server sees as `caller.auth`. Default: none.
 *
 * @example
 * const client = await connectMemory(server, 'modern', { auth: { subject: 'ada' } });
 */
export function connectMemory(server: LiveServer, era: Era, options: { auth?: Credential } = {}): Promise<TestClient> {
  return connect(serveMemory(server, options), era);
}

async function connect(
  transport: Transport,
  era: Era,
  mode: 'auto' | 'legacy' | { pin: string } = era === 'modern' ? 'auto' : 'legacy',
): Promise<TestClient> {
  checkValue('The era of a test client', era, oneOf('modern', 'legacy'));
  const client = new Client({ name: 'test-client', version: '1.0.0' }, { versionNegotiation: { mode } });
  const updates: string[] = [];
  const listChanges: string[] = [];
  const logs: LogMessage[] = [];
  // Sent with each modern request; a 2025-era connection is told once.
  let asked: { _meta?: Record<string, unknown> } = {};
  client.setNotificationHandler('notifications/message', ({ params }) => void logs.push(params));
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updates.push(params.uri));
  for (const list of ['resources', 'tools', 'prompts'] as const) {
    const method = `notifications/${list}/list_changed` as const;
    client.setNotificationHandler(method, () => void listChanges.push(method));
  }
  await client.connect(transport);
  const spoken = client.getProtocolEra();
  if (spoken !== era) {
    await client.close();
    throw new Error(`The server speaks the ${spoken} era only, and a client of the ${era} era was asked for.`);
  }
  return {
    era,
    updates,
    listChanges,
    logs,
    capabilities: client.getServerCapabilities(),
    subscribe: (...uris) => (era === 'modern' ? listen(client, uris) : subscribeEach(client, uris)),
    listAll: async () => {
      // The client follows the cursors itself.
      const { resources } = await client.listResources();
      return resources.map(({ uri }) => uri);
    },
    read: async (uri) => {
      const { contents } = await client.readResource({ uri, ...asked });
      const [first] = contents;
      if (first === undefined) return '';
      return 'text' in first ? first.text : first.blob;
    },
    call: async (name, args = {}) => {
      const { content, isError, _meta } = await client.callTool({ name, arguments: args, ...asked });
      const [first] = content;
      const text = first?.type === 'text' ? first.text : '';
      const code = _meta?.['tidings/code'];
      if (isError === true) throw new ToolFailure(text, typeof code === 'string' ? code : undefined);
      return text;
    },
    setLogLevel: async (level) => {
      if (era === 'modern') asked = { _meta: { [LOG_LEVEL_META_KEY]: level } };
      else await client.setLoggingLevel(level);
    },
    close: () => client.close(),
  };
}

async function listen(client: Client, uris: string[]): Promise<TestSubscription> {
  const subscription = await client.listen({
    resourceSubscriptions: uris,
    resourcesListChanged: true,
    toolsListChanged: true,
    promptsListChanged: true,
  });
  return {
    honored: subscription.honoredFilter.resourceSubscriptions ?? [],
    end: () => subscription.close(),
  };
}

async function subscribeEach(client: Client, uris: string[]): Promise<TestSubscription> {
  const honored: string[] = [];
  for (const uri of uris) {
    const refused = await client.subscribeResource({ uri }).then(
      () => false,
      () => true,
    );
    if (!refused) honored.push(uri);
  }
  return {
    honored,
    end: async () => {
      for (const uri of honored) await client.unsubscribeResource({ uri });
    },
  };
}

/**
 * Waits until the client has been notified of `uri` more than `before` times.
 *
 * @example
 * await client.subscribe('note://today');
 * await client.call('write_note', { id: 'today', text: 'Hello' });
 * await told(client, 'note://today');
 */
export async function told(client: TestClient, uri: string, before = 0): Promise<void> {
  await eventually(`an update of ${uri}`, () => client.updates.filter((each) => each === uri).length > before);
}
