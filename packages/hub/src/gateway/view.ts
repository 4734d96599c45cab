// A server as one caller sees it. Most callers share its connection; a caller with a redaction gets a connection of its
// own to a server that redacts, and never shared reads or lists. Servers that do not redact are hidden from such a caller.
import type { Client, ReadResourceResult } from '@modelcontextprotocol/client';
import { type Caller, type Clock, LiveError, type LiveServer } from '@tidings/live';
import type { Upstream } from '@tidings/track';
import { type CallListener, type Catalog, emptyCatalog, fromRead, listCatalog } from '@tidings/track/internal';
import { grantOf } from '../access/grant.ts';
import { clientInMemory } from '../base/client-in-memory.ts';
import { readOnce } from '../base/read-once.ts';

export interface View {
  catalog(): Promise<Catalog>;
  read(uri: string, signal?: AbortSignal): Promise<ReadResourceResult>;
  use<T>(this: void, work: (client: Client) => Promise<T>, listener?: CallListener): Promise<T>;
}

export interface VisibleList extends Pick<Catalog, 'resources'> {
  upstream: Upstream;
}

interface BuiltIn {
  redacts(name: string): boolean;
  /** Opens the server, or returns the open one. */
  open(name: string): Promise<LiveServer>;
}

/** The part of a server that a view uses. */
type ViewedServer = Pick<Upstream, 'id' | 'entry' | 'catalog' | 'read' | 'use'>;

export class Views {
  readonly #builtIn: BuiltIn;
  readonly #clock: Clock;
  /** Connections by server and redaction. */
  readonly #own = new Map<string, Promise<Client>>();

  constructor(builtIn: BuiltIn, clock: Clock) {
    this.#builtIn = builtIn;
    this.#clock = clock;
  }

  redacts({ entry }: Pick<ViewedServer, 'entry'>): boolean {
    return 'builtin' in entry && this.#builtIn.redacts(entry.builtin);
  }

  of(upstream: ViewedServer, caller: Pick<Caller, 'auth'>): View {
    const { redact: redaction } = grantOf(caller);
    if (redaction === undefined) return shared(upstream);
    const { entry } = upstream;
    const use = async <T>(work: (client: Client) => Promise<T>) => {
      if (!('builtin' in entry) || !this.redacts(upstream)) throw cannotRedact(upstream.id);
      if (!entry.enabled) throw new LiveError('UNAVAILABLE', `The server "${upstream.id}" is not enabled.`);
      return work(await this.#client(entry.builtin, redaction));
    };
    return {
      use,
      catalog: () => use((client) => listCatalog(client, this.#clock, false)),
      // Uses the same error codes as the shared connection.
      read: (uri, signal) =>
        use((client) => readOnce(client, { uri }, signal && { signal })).catch((error: unknown) => {
          throw fromRead(upstream.id, uri, error, (text) => text);
        }),
    };
  }

  /** The lists of these servers for this caller; an unavailable server has an empty one. */
  async catalogs(upstreams: Iterable<Upstream>, caller: Pick<Caller, 'auth'>): Promise<VisibleList[]> {
    return Promise.all(
      [...upstreams].map(async (upstream) => {
        const { resources } = await this.of(upstream, caller)
          .catalog()
          .catch(() => emptyCatalog);
        return { upstream, resources };
      }),
    );
  }

  async close(): Promise<void> {
    const clients = await Promise.allSettled(this.#own.values());
    this.#own.clear();
    for (const each of clients) if (each.status === 'fulfilled') await each.value.close();
  }

  async #client(builtin: string, redaction: string): Promise<Client> {
    const key = `${builtin} ${redaction}`;
    const client = this.#own.get(key) ?? this.#connect(builtin, redaction);
    this.#own.set(key, client);
    try {
      return await client;
    } catch (error) {
      // The next call tries again: the server's storage may be unavailable for a while.
      this.#own.delete(key);
      throw Object.assign(new LiveError('UNAVAILABLE', `The server "${builtin}" is not available.`), { cause: error });
    }
  }

  async #connect(builtin: string, redact: string): Promise<Client> {
    const server = await this.#builtIn.open(builtin);
    return clientInMemory(server, { subject: `redacted by ${redact}`, redact });
  }
}

function shared(upstream: ViewedServer): View {
  return {
    catalog: async () => upstream.catalog,
    read: (uri, signal) => upstream.read(uri, signal),
    use: (work, listener) => upstream.use(work, listener),
  };
}

function cannotRedact(serverId: string): LiveError {
  const message = `Your credentials ask for a redaction, and the server "${serverId}" is not one that redacts.`;
  return new LiveError('PERMISSION_DENIED', message);
}
