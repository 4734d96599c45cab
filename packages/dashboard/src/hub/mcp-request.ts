// One request to a server at the hub's MCP endpoint: the same permissions and the same audit as for any client.
import { systemClock, timeLimit } from '@tidings/live/time';
import { version } from '@tidings/live/version';
import * as z from 'zod/mini';

const protocolVersion = '2026-07-28';
const patienceMs = 20_000;

const answerSchema = z.object({
  result: z.optional(z.unknown()),
  error: z.optional(z.object({ message: z.string() })),
});

const _meta = {
  'io.modelcontextprotocol/protocolVersion': protocolVersion,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'dashboard', version },
};

const progressSchema = z.object({
  method: z.literal('notifications/progress'),
  params: z.object({
    progress: z.number(),
    total: z.optional(z.number()),
    message: z.optional(z.string()),
  }),
});

/** What a person who waits can do and see. */
export interface CallInProgress {
  /** Gives it up: the server is told. */
  signal: AbortSignal;
  /** How far it is, in words. */
  onProgress(this: void, words: string): void;
}

export interface McpRequest<Schema> {
  serverId: string;
  method: string;
  params?: Record<string, unknown>;
  /** The tool, prompt or resource that it is about, for methods that have one. */
  name?: string;
  /** Of the result. */
  schema: Schema;
  /** How long to wait. Default: 20 s. */
  withinMs?: number;
  call?: CallInProgress | undefined;
}

/** The result. A failure is an error with the message of the server. */
export async function mcpRequest<Schema extends z.ZodMiniType>({
  serverId,
  method,
  params = {},
  name,
  schema,
  withinMs = patienceMs,
  call,
}: McpRequest<Schema>): Promise<z.output<Schema>> {
  const limit = timeLimit(systemClock, withinMs, call?.signal);
  try {
    const response = await fetch(`/mcp/${encodeURIComponent(serverId)}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': protocolVersion,
        'Mcp-Method': method,
        ...(name !== undefined && { 'Mcp-Name': headerText(name) }),
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method,
        params: { ...params, _meta: call ? { ..._meta, progressToken: 1 } : _meta },
      }),
      signal: limit.signal,
    });
    return schema.parse(resultIn(await textOf(response, call), response.status));
  } finally {
    limit.clear();
  }
}

/** All of it; progress is reported as it comes. */
async function textOf(response: Response, call: CallInProgress | undefined): Promise<string> {
  if (call === undefined || response.body === null) return response.text();
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let [text, reported] = ['', 0];
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    text += decoder.decode(read.value, { stream: true });
    const end = text.lastIndexOf('\n') + 1;
    for (const [, line = ''] of text.slice(reported, end).matchAll(/^data: (.+)$/gm)) report(line, call);
    reported = end;
  }
  return text;
}

function report(message: string, { onProgress }: CallInProgress): void {
  const { data } = progressSchema.safeParse(JSON.parse(message));
  if (data === undefined) return;
  const { progress, total, message: words = '' } = data.params;
  onProgress(`${total === undefined ? progress : `${progress} of ${total}`} ${words}`.trimEnd());
}

function resultIn(text: string, status: number): unknown {
  // A stream has notifications before the answer, which is the last message.
  const message = [...text.matchAll(/^data: (.+)$/gm)].at(-1)?.[1] ?? text;
  const { result, error } = answerSchema.parse(JSON.parse(message));
  if (result === undefined) throw new Error(error?.message ?? `The hub answered ${status}.`);
  return result;
}

/** The protocol's form of a name that a header cannot hold as it is. */
function headerText(name: string): string {
  if (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(name) && !name.startsWith('=?')) return name;
  const bytes = new TextEncoder().encode(name);
  return `=?base64?${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}?=`;
}
