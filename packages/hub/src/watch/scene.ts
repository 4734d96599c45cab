// What is known of the watched resources, over one connection after another: what was listed and what
// each held. Looking again tells what changed since.
import type { Client } from '@modelcontextprotocol/client';
import { inTurns } from '../look/in-turns.ts';
import { listResources } from '../look/lists.ts';
import { reasonOf } from '../look/request-failure.ts';
import { difference } from './difference.ts';
import type { Untimed } from './event.ts';
import type { Patterns } from './pattern.ts';
import { type Snapshot, snapshotOf } from './snapshot.ts';

type Tell = (event: Untimed, at?: number) => void;

interface Known {
  snapshot: Snapshot;
  /** What is announced up to here is in the snapshot, or will be told by it. */
  readAt: number;
}

const readPatienceMs = 30_000;

export class Scene {
  readonly #patterns: Patterns;
  readonly #tell: Tell;
  readonly #now: () => number;
  readonly #known = new Map<string, Known>();
  #listed: ReadonlySet<string> | undefined;

  constructor(patterns: Patterns, tell: Tell, now: () => number) {
    this.#patterns = patterns;
    this.#tell = tell;
    this.#now = now;
  }

  /** Looks at the list again: everything to be watched now, and what came and went since the last time. */
  async lookAtList(client: Client): Promise<{ wanted: string[]; added: string[]; removed: string[] }> {
    const resources = await listResources(client);
    const listed = new Set(resources.map(({ uri }) => uri));
    const previous = this.#listed ?? listed;
    this.#listed = listed;
    const wanted = this.#patterns.wanted(listed);
    const kept = new Set(wanted);
    for (const uri of this.#known.keys()) if (!kept.has(uri)) this.#known.delete(uri);
    const matches = (uri: string) => this.#patterns.matches(uri);
    return {
      wanted,
      added: [...listed].filter((uri) => !previous.has(uri) && matches(uri)),
      removed: [...previous].filter((uri) => !listed.has(uri) && matches(uri)),
    };
  }

  /** Reads what has not been read yet, without telling: that is what later looks are compared with. */
  async lookAtNew(client: Client, uris: readonly string[]): Promise<void> {
    const unread = uris.filter((uri) => !this.#known.has(uri));
    await inTurns(unread, async (uri) => {
      const snapshot = await this.#read(client, uri);
      if (snapshot.kind === 'missing') {
        this.#tell({ type: 'problem', uri, problem: 'unreadable', reason: snapshot.reason });
      }
    });
  }

  /** Looks at what was announced. */
  async lookAtUpdated(client: Client, updated: ReadonlyMap<string, number>): Promise<void> {
    await inTurns([...updated], async ([uri, heardAt]) => {
      const before = this.#known.get(uri);
      if (!before) return;
      const change = difference(before.snapshot, await this.#read(client, uri));
      // Without a difference and heard before the last look: that look has told it.
      if (change.kind === 'none' && heardAt <= before.readAt) return;
      this.#tell({ type: 'updated', uri, change }, heardAt);
    });
  }

  /** Looks at everything after a time in which nothing could be heard, and tells only what differs. */
  async lookAtAll(client: Client): Promise<void> {
    await inTurns([...this.#known], async ([uri, before]) => {
      const change = difference(before.snapshot, await this.#read(client, uri));
      if (change.kind !== 'none') this.#tell({ type: 'updated', uri, change, whileAway: true });
    });
  }

  async #read(client: Client, uri: string): Promise<Snapshot> {
    const snapshot = await client
      .readResource({ uri }, { cacheMode: 'bypass', timeout: readPatienceMs })
      .then(snapshotOf, (error: unknown): Snapshot => {
        // A connection that broke says nothing about the resource.
        if (client.transport === undefined) throw error;
        return { kind: 'missing', reason: reasonOf(error) };
      });
    this.#known.set(uri, { snapshot, readAt: this.#now() });
    return snapshot;
  }
}
