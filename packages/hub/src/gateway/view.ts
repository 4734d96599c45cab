// A server as one caller sees it. Most share its connection; a caller for whom a redaction holds gets one of
// its own to a built-in server, which redacts for it, and never what others have read.
import { Client, type ReadResourceResult } from '@modelcontextprotocol/client';
import { type Caller, LiveError, type LiveServer, serveMemory } from '@tidings/live';
import type { Upstream } from '@tidings/track';
import { redactionOf } from '../access/scope.ts';

export interface View {
  read(uri: string): Promise<ReadResourceResult>;
  use<T>(work: (client: Client) => Promise<T>): Promise<T>;
}

/** The built-in servers that redact, by their names. */
export type RedactingServers = (builtin: string) => LiveServer | undefined;

export class Views {
  readonly #redacting: RedactingServers;
  /** By server and redaction. */
  readonly #own = new Map<string, Promise<Client>>();

  constructor(redacting: RedactingServers) {
    this.#redacting = redacting;
  }

  of(upstream: Upstream, caller: Pick<Caller, 'auth'>): View {
    const redaction = redactionOf(caller);
    const { entry } = upstream;
    const server = redaction !== undefined && 'builtin' in entry ? this.#redacting(entry.builtin) : undefined;
    if (redaction === undefined || server === undefined) return upstream;
    const use = async <T>(work: (client: Client) => Promise<T>) => {
      if (!entry.enabled) throw new LiveError('UNAVAILABLE', `The server "${upstream.id}" is not enabled.`);
      return work(await this.#client(`${upstream.id} ${redaction}`, server, redaction));
    };
    return { use, read: (uri) => use((client) => client.readResource({ uri }, { cacheMode: 'bypass' })) };
  }

  async close(): Promise<void> {
    const clients = await Promise.all(this.#own.values());
    this.#own.clear();
    await Promise.all(clients.map((client) => client.close()));
  }

  #client(key: string, server: LiveServer, redact: string): Promise<Client> {
    let client = this.#own.get(key);
    if (client === undefined) this.#own.set(key, (client = connect(server, redact)));
    return client;
  }
}

async function connect(server: LiveServer, redact: string): Promise<Client> {
  const client = new Client({ name: 'tidings', version: '0.1.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(serveMemory(server, { auth: { subject: `redacted by ${redact}`, redact } }));
  return client;
}
