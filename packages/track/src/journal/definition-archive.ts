// The part of the archive that stores definitions: what was seen and what was agreed to.
import type { Store } from '@tidings/store';
import { z } from 'zod';
import { type Claim, claimsIn } from '../cluster/lease-table.ts';
import type { DefinitionKind, DefinitionName } from '../definition/definition.ts';
import type { DefinitionMemory, KnownDefinition } from '../definition/known-definitions.ts';
import type { ArchiveTables } from './archive-schema.ts';
import { isStorableKey } from './storable-key.ts';

export type RememberedDefinitions = ReadonlyMap<string, DefinitionMemory['remembered']>;

/** The server whose definitions are stored; in a cluster, they are stored only while the claim is valid. */
export interface DefinitionOwner {
  server: string;
  claim: Claim | undefined;
}

type PendingWrite = DefinitionOwner & { kind: DefinitionKind } & (
    | { is: 'sight' }
    | { is: 'known'; name: string; known: KnownDefinition }
    | { is: 'gone'; name: string }
  );

const kinds = z.enum(['tool', 'prompt', 'instructions', 'server']);
const rowSchema = z.object({
  server: z.string(),
  kind: kinds,
  name: z.string().transform((json) => z.string().parse(JSON.parse(json))),
  agreed: z.string().nullable(),
  seen: z.string(),
});
const sightSchema = z.object({ server: z.string(), kind: kinds });

export class DefinitionArchive {
  readonly #store: Store<ArchiveTables>;
  readonly #pending = new Map<string, PendingWrite>();
  /** Servers whose rows are deleted before the pending rows are written. */
  readonly #dropped = new Map<string, DefinitionOwner>();

  constructor(store: Store<ArchiveTables>) {
    this.#store = store;
  }

  get isWritten(): boolean {
    return this.#pending.size + this.#dropped.size === 0;
  }

  /** Loads the definitions of all servers, or of one. */
  async load(only?: string): Promise<RememberedDefinitions> {
    const { db } = this.#store;
    const byServer = new Map<string, Map<DefinitionKind, Map<string, KnownDefinition>>>();
    const sightRows = db.selectFrom('definition_sight').selectAll();
    const definitionRows = db.selectFrom('definition').selectAll();
    const sights = z
      .array(sightSchema)
      .parse(await (only === undefined ? sightRows : sightRows.where('server', '=', only)).execute());
    for (const { server, kind } of sights) {
      const byKind = byServer.get(server) ?? new Map<DefinitionKind, Map<string, KnownDefinition>>();
      byServer.set(server, byKind.set(kind, new Map()));
    }
    const rows = z
      .array(rowSchema)
      .parse(await (only === undefined ? definitionRows : definitionRows.where('server', '=', only)).execute());
    for (const { server, kind, name, agreed, seen } of rows) {
      byServer
        .get(server)
        ?.get(kind)
        ?.set(name, { agreed: agreed ?? undefined, seen });
    }
    return byServer;
  }

  sighted(owner: DefinitionOwner, kind: DefinitionKind): void {
    this.#pending.set(JSON.stringify([owner.server, kind]), { is: 'sight', ...owner, kind });
  }

  remember(owner: DefinitionOwner, { kind, name }: DefinitionName, known: KnownDefinition): void {
    this.#pending.set(JSON.stringify([owner.server, kind, name]), { is: 'known', ...owner, kind, name, known });
  }

  forget(owner: DefinitionOwner, { kind, name }: DefinitionName): void {
    this.#pending.set(JSON.stringify([owner.server, kind, name]), { is: 'gone', ...owner, kind, name });
  }

  drop(owner: DefinitionOwner): void {
    for (const [key, each] of this.#pending) if (each.server === owner.server) this.#pending.delete(key);
    this.#dropped.set(owner.server, owner);
  }

  /** Writes all changes in one transaction: after a partial write, known definitions would look new. */
  async write(): Promise<void> {
    if (this.isWritten) return;
    const dropped = [...this.#dropped.values()];
    const part = [...this.#pending];
    await this.#store.write(async ({ db }) => {
      const isValid = await claimsIn(
        db,
        [...dropped, ...part.map(([, each]) => each)].map(({ claim }) => claim),
      );
      for (const { server, claim } of dropped) {
        if (!isValid(claim)) continue;
        await db.deleteFrom('definition').where('server', '=', server).execute();
        await db.deleteFrom('definition_sight').where('server', '=', server).execute();
      }
      for (const [, each] of part) if (isValid(each.claim)) await this.#writeOne(db, each);
    });
    for (const owner of dropped) if (this.#dropped.get(owner.server) === owner) this.#dropped.delete(owner.server);
    // Changes made during the write are written the next time.
    for (const [key, each] of part) if (this.#pending.get(key) === each) this.#pending.delete(key);
  }

  async #writeOne(db: Store<ArchiveTables>['db'], each: PendingWrite): Promise<void> {
    const { server, kind } = each;
    if (each.is === 'sight') {
      await db
        .insertInto('definition_sight')
        .values({ server, kind })
        .onConflict((conflict) => conflict.columns(['server', 'kind']).doNothing())
        .execute();
      return;
    }
    const name = JSON.stringify(each.name);
    if (!isStorableKey(this.#store.engine, name)) return;
    if (each.is === 'gone') {
      const rows = db.deleteFrom('definition').where('server', '=', server);
      await rows.where('kind', '=', kind).where('name', '=', name).execute();
      return;
    }
    const { agreed = null, seen } = each.known;
    await db
      .insertInto('definition')
      .values({ server, kind, name, agreed, seen })
      .onConflict((conflict) => conflict.columns(['server', 'kind', 'name']).doUpdateSet({ agreed, seen }))
      .execute();
  }
}
