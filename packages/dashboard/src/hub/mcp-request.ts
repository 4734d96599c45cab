// One request to a server at the hub's MCP endpoint, with the same permissions and audit as for any client.
import { eventFrames } from '@tidings/client';
import { isEventStream, messageOf, modernVersion } from '@tidings/live/portable';
import { systemClock, timeLimit } from '@tidings/live/time';
import { version } from '@tidings/live/version';
import * as z from 'zod/mini';
import { hubFetch } from './hub-request.ts';
import { type CallLog, logMessageIn } from './log-message.ts';
import { type Answers, type Question, questionsIn } from './questions.ts';

const patienceMs = 20_000;
/** The number of times that a server may ask questions during one request. */
const mostRounds = 10;

const answerSchema = z.object({
  result: z.optional(z.unknown()),
  error: z.optional(z.object({ message: z.string() })),
});

const progressSchema = z.object({
  method: z.literal('notifications/progress'),
  params: z.object({
    progress: z.number(),
    total: z.optional(z.number()),
    message: z.optional(z.string()),
  }),
});

/** How the user follows, answers and cancels a call. */
export interface CallInProgress {
  /** Cancels the call at the server. */
  signal: AbortSignal;
  /** The progress, as text. */
  onProgress(this: void, words: string): void;
  /** Shows the questions to the user; resolves with the answers. */
  ask(this: void, questions: readonly Question[]): Promise<Answers>;
  /** Added to the `_meta` that the page sends. */
  meta?: Record<string, unknown> | undefined;
  log?: CallLog | undefined;
}

interface McpRequest<Schema> {
  serverId: string;
  method: string;
  params?: Record<string, unknown>;
  /** The tool, prompt or resource that it is about, for methods that have one. */
  name?: string;
  /** The schema of the result. */
  schema: Schema;
  /** How long to wait. Default: 20 s. */
  withinMs?: number;
  call?: CallInProgress | undefined;
}

/** A request as it was sent, with the notifications and the response that it got. */
export interface Exchange {
  serverId: string;
  method: string;
  name: string | undefined;
  /** Milliseconds since the epoch. */
  at: number;
  ms: number;
  request: string;
  /** JSON-RPC messages; empty if the hub did not answer. */
  messages: readonly string[];
  /** Why there is no result; empty if there is one. */
  problem: string;
}

const observers = new Set<(exchange: Exchange) => void>();

/** Calls `observer` after every request. */
export function observeExchanges(observer: (exchange: Exchange) => void): void {
  observers.add(observer);
}

/** Resolves with the result. If the request fails, rejects with the server's message. */
export async function mcpRequest<Schema extends z.ZodMiniType>(request: McpRequest<Schema>): Promise<z.output<Schema>> {
  const { params = {}, call, schema } = request;
  let result = await observed(request, params);
  for (let round = 1; ; round += 1) {
    const asked = questionsIn(result);
    if (asked === undefined) return schema.parse(result);
    // Without a user to ask, no capability is declared, so the server should not ask.
    if (call === undefined) throw new Error('The server asks for something that cannot be answered here.');
    if (round > mostRounds) throw new Error(`The server has asked ${mostRounds} times in one request.`);
    const { questions, requestState } = asked;
    const inputResponses = questions.length === 0 ? {} : await call.ask(questions);
    result = await observed(request, {
      ...params,
      inputResponses,
      ...(requestState !== undefined && { requestState }),
    });
  }
}

async function observed(request: McpRequest<unknown>, params: Record<string, unknown>): Promise<unknown> {
  const { serverId, method, name, call } = request;
  const at = systemClock.date();
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: metaFor(call) } });
  const messages: string[] = [];
  let problem = '';
  try {
    return await sent(request, body, (message) => void messages.push(message));
  } catch (error) {
    problem = messageOf(error);
    throw error;
  } finally {
    const exchange = { serverId, method, name, at, ms: systemClock.date() - at, request: body, messages, problem };
    for (const observer of observers) observer(exchange);
  }
}

function metaFor(call: CallInProgress | undefined): Record<string, unknown> {
  return {
    ...call?.meta,
    'io.modelcontextprotocol/protocolVersion': modernVersion,
    'io.modelcontextprotocol/clientCapabilities': call ? { elicitation: { form: {}, url: {} } } : {},
    'io.modelcontextprotocol/clientInfo': { name: 'dashboard', version },
    ...(call && { progressToken: 1 }),
    ...(call?.log && { 'io.modelcontextprotocol/logLevel': call.log.level }),
  };
}

async function sent(
  { serverId, method, name, withinMs = patienceMs, call }: McpRequest<unknown>,
  body: string,
  received: (message: string) => void,
): Promise<unknown> {
  const limit = timeLimit(systemClock, withinMs, call?.signal);
  try {
    const response = await hubFetch(`/mcp/${encodeURIComponent(serverId)}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': modernVersion,
        'Mcp-Method': method,
        ...(name !== undefined && { 'Mcp-Name': headerText(name) }),
      },
      body,
      signal: limit.signal,
    });
    // The response is the last message, after the notifications.
    let last = '';
    for await (const message of messagesOf(response)) {
      received(message);
      if (call) report(message, call);
      last = message;
    }
    const { result, error } = answerSchema.parse(JSON.parse(last));
    if (result === undefined) throw new Error(error?.message ?? `The hub answered ${response.status}.`);
    return result;
  } finally {
    limit.clear();
  }
}

/** The messages of an event stream as they arrive, or the single message of any other response. */
async function* messagesOf(response: Response): AsyncGenerator<string> {
  if (!isEventStream(response.headers.get('content-type')) || response.body === null) {
    yield await response.text();
    return;
  }
  for await (const { data } of eventFrames(response.body)) yield data;
}

function report(text: string, { onProgress, log }: CallInProgress): void {
  const message: unknown = JSON.parse(text);
  const logged = log && logMessageIn(message);
  if (logged) log.onMessage(logged);
  const { data } = progressSchema.safeParse(message);
  if (data === undefined) return;
  const { progress, total, message: words = '' } = data.params;
  onProgress(`${total === undefined ? progress : `${progress} of ${total}`} ${words}`.trimEnd());
}

/** The protocol's encoding of names that a header cannot contain. */
function headerText(name: string): string {
  if (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(name) && !name.startsWith('=?')) return name;
  const bytes = new TextEncoder().encode(name);
  return `=?base64?${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}?=`;
}
