// The servers that run inside the hub: each is opened once, on first use, and closed with the hub.
import type { LiveServer } from '@tidings/live';
import type { Builtins, Config } from '@tidings/track';

export type OpenBuiltin = () => Promise<LiveServer>;

export class BuiltinServers {
  readonly #openers: ReadonlyMap<string, OpenBuiltin>;
  readonly #redacting: ReadonlySet<string>;
  readonly #inDatabase: readonly string[];
  readonly #opening = new Map<string, Promise<LiveServer>>();
  readonly #open = new Map<string, LiveServer>();

  /** `redacting` names the servers that apply a caller's redaction, `inDatabase` those that store in the place. */
  constructor(
    openers: Readonly<Record<string, OpenBuiltin>>,
    redacting: readonly string[],
    inDatabase: readonly string[] = [],
  ) {
    this.#openers = new Map(Object.entries(openers));
    this.#redacting = new Set(redacting);
    this.#inDatabase = inDatabase;
  }

  /** The servers whose state is in the database, if the data is in one. */
  get inDatabase(): readonly string[] {
    return this.#inDatabase;
  }

  /** In the form that the tracker expects. */
  get byName(): Builtins {
    return Object.fromEntries([...this.#openers.keys()].map((name) => [name, () => this.open(name)]));
  }

  /** The configuration without a file: all built-in servers, tracked. */
  get config(): Config {
    const entry = (id: string) => ({ id, builtin: id, enabled: true, trackResources: true });
    return { servers: [...this.#openers.keys()].map(entry), tokens: [] };
  }

  redacts(name: string): boolean {
    return this.#redacting.has(name);
  }

  open(name: string): Promise<LiveServer> {
    const opening = this.#opening.get(name) ?? this.#begin(name);
    this.#opening.set(name, opening);
    return opening;
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#opening.values());
    await Promise.all([...this.#open.values()].map((server) => server.close()));
  }

  async #begin(name: string): Promise<LiveServer> {
    const opener = this.#openers.get(name);
    if (opener === undefined) throw new Error(`There is no built-in server "${name}".`);
    try {
      const server = await opener();
      this.#open.set(name, server);
      return server;
    } catch (error) {
      // The next call tries again: a database may be unavailable for a while.
      this.#opening.delete(name);
      throw error;
    }
  }
}
