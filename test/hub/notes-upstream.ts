// A server for the hub, over HTTP, in the era of the test's choice: notes with a tool, a prompt, and completion.
import { type Server, createServer } from 'node:http';
import { type LiveServer, type RouteHandle, httpEndpoint, liveServer, notFound, toolResult } from '@tidings/live';
import type { Era } from '@tidings/live/testing';
import type { UrlEntry } from '@tidings/track';
import { z } from 'zod';
import { freePort } from '../support/network/free-port.ts';
import { legacyOnly } from '../support/wire/legacy-only.ts';

/** As for a server of the kit: Node's five seconds may end while this process is busy and a request is under way. */
const keepAliveTimeout = 75_000;

export class NotesUpstream implements AsyncDisposable {
  readonly notes = new Map<string, string>();
  /** Names of notes that exist, but are not in the list. */
  readonly unlisted = new Set<string>();
  /** The number of calls of `slow_note` that their callers have cancelled. */
  cancelled = 0;
  readonly server: LiveServer;
  readonly #note: RouteHandle<{ name: string }>;
  readonly #endpoint: ReturnType<typeof httpEndpoint>;
  readonly #http: Server;
  #port = 0;

  private constructor(era: Era, scheme: string) {
    this.server = liveServer({ name: 'notes', version: '1.0.0' });
    this.#note = this.server.resource(`${scheme}://{name}`, {
      read: ({ name }: { name: string }) => this.notes.get(name) ?? notFound(),
      list: () => [...this.notes.keys()].filter((name) => !this.unlisted.has(name)).map((name) => ({ name })),
      complete: { name: (prefix: string) => [...this.notes.keys()].filter((name) => name.startsWith(prefix)) },
    });
    this.#defineTools();
    this.#endpoint = httpEndpoint(this.server);
    const { handle } = this.#endpoint;
    this.#http = createServer(
      { keepAliveTimeout },
      era === 'legacy' ? legacyOnly(handle) : (req, res) => void handle(req, res),
    );
  }

  /** Starts with these notes. */
  static async start(era: Era, scheme = 'note', port = 0, notes: Record<string, string> = {}): Promise<NotesUpstream> {
    const upstream = new NotesUpstream(era, scheme);
    for (const [name, text] of Object.entries(notes)) upstream.notes.set(name, text);
    const at = port === 0 ? await freePort() : port;
    await new Promise<void>((resolve) => void upstream.#http.listen(at, '127.0.0.1', resolve));
    const address = upstream.#http.address();
    if (address !== null && typeof address === 'object') upstream.#port = address.port;
    return upstream;
  }

  entry(id: string, trackResources = true): UrlEntry {
    return { id, url: `http://127.0.0.1:${this.#port}/mcp`, headers: {}, enabled: true, trackResources };
  }

  put(name: string, text: string): void {
    const isNew = !this.notes.has(name);
    this.notes.set(name, text);
    this.#note.changed({ name });
    if (isNew) this.server.listChanged();
  }

  remove(name: string): void {
    this.notes.delete(name);
    this.server.listChanged();
  }

  /** The number of watched URIs and lists. */
  get watched(): number {
    return this.server.stats().watched;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#http.closeAllConnections();
    await new Promise((resolve) => void this.#http.close(resolve));
    await this.#endpoint.close();
    await this.server.close();
  }

  #defineTools(): void {
    const note = z.object({ name: z.string(), text: z.string() });
    this.server.tool('put_note', { input: note, output: z.object({ saved: z.string() }) }, ({ name, text }) => {
      this.put(name, text);
      return { saved: name };
    });
    this.server.tool('link_notes', {}, () => {
      const named = [...this.notes].map(([name, text]) => ({ name, uri: this.#note.uri({ name }), text }));
      return toolResult({
        content: named.flatMap(({ name, uri, text }) => [
          { type: 'resource_link' as const, name, uri },
          { type: 'resource' as const, resource: { uri, text } },
        ]),
      });
    });
    this.server.tool('slow_note', { input: z.object({}) }, async (_, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken ?? 0;
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: 1, total: 2 } });
      await new Promise<void>((resolve) => mcpReq.signal.addEventListener('abort', () => resolve(), { once: true }));
      this.cancelled += 1;
      return 'given up';
    });
    this.server.prompt(
      'about_note',
      { args: z.object({ name: z.string() }), complete: { name: () => [...this.notes.keys()] } },
      ({ name }) => `Tell me about ${name}.`,
    );
  }
}
