// The writes of vCons. Each is part of one transaction, and announces what it made stale.
import { LiveError } from '@tidings/live';
import { sql } from 'kysely';
import { type AcceptOptions, accept } from '../model/accept.ts';
import type { JsonObject } from '../model/json.ts';
import { NewVcon } from './new-vcon.ts';
import { type NewRow, isSameContent, parsedDocument } from './row.ts';
import { unindexVcon } from './search-index.ts';
import type { VconEngine, VconRow, VconWriting } from './tables.ts';
import type { VconInserts } from './vcon-inserts.ts';
import { changedTopics, collectionTopic, maxRecent, rankTopic, wholeTopic } from './topics.ts';

export type WriteOutcome = 'created' | 'unchanged' | 'replaced' | 'conflict';

/** An existing uuid is skipped, or replaced if `replace` is set. */
export async function putAll(
  writing: VconWriting,
  inserts: VconInserts,
  batch: readonly NewVcon[],
  { replace = false } = {},
): Promise<WriteOutcome[]> {
  const { announce, listChanged } = writing;
  const ids = await inserts.insert(writing, batch);
  const created = new Map<NewVcon, number>();
  for (const vcon of batch) {
    const { uuid } = vcon.row;
    const id = ids.get(uuid);
    if (id === undefined) continue;
    ids.delete(uuid);
    created.set(vcon, id);
    announce(collectionTopic, wholeTopic(uuid));
    listChanged();
  }
  await inserts.index(
    writing,
    Array.from(created, ([vcon, id]) => ({ id, vcon })),
  );
  const outcomes: WriteOutcome[] = [];
  for (const vcon of batch) {
    outcomes.push(created.has(vcon) ? 'created' : await putAgain(writing, inserts, vcon, replace));
  }
  return outcomes;
}

async function putAgain(
  writing: VconWriting,
  inserts: VconInserts,
  vcon: NewVcon,
  replace: boolean,
): Promise<WriteOutcome> {
  const there = await lock(writing, inserts.engine, vcon.row.uuid);
  if (isSameContent(there, vcon.row)) return 'unchanged';
  if (!replace) return 'conflict';
  await overwrite(writing, inserts, there, vcon);
  return 'replaced';
}

/** Changes a document; `edit` is pure, and returns its argument if nothing changes. Sets `updated_at`. */
export async function change<T>(
  writing: VconWriting,
  inserts: VconInserts,
  uuid: string,
  options: AcceptOptions,
  edit: (document: JsonObject) => { document: JsonObject; result: T },
): Promise<{ document: JsonObject; result: T; warnings: readonly string[] }> {
  const there = await lock(writing, inserts.engine, uuid);
  if (there.form !== 'unsigned') throw sealedFromChange(there.form);
  const document = parsedDocument(there);
  const { document: edited, result } = edit(document);
  if (edited === document) return { document, result, warnings: [] };
  const { created } = there;
  const accepted = accept({ ...edited, updated_at: options.now.toISOString() }, { ...options, created });
  await overwrite(writing, inserts, there, new NewVcon(inserts.engine, accepted));
  return { document: accepted.document, result, warnings: accepted.warnings };
}

export async function removeVcon(writing: VconWriting, engine: VconEngine, uuid: string): Promise<void> {
  const { id } = await lock(writing, engine, uuid);
  await unindexVcon(writing, id);
  await writing.db.deleteFrom('embedding').where('vcon_id', '=', id).execute();
  await writing.db.deleteFrom('vcon').where('id', '=', id).execute();
  writing.announce(collectionTopic, wholeTopic(uuid));
  writing.listChanged();
}

async function lock({ db }: VconWriting, engine: VconEngine, uuid: string): Promise<VconRow> {
  const row = await db
    .selectFrom('vcon')
    .selectAll()
    .where('uuid', '=', uuid)
    .$if(engine === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst();
  if (row === undefined) throw unknownVcon(uuid);
  return row;
}

async function overwrite(writing: VconWriting, inserts: VconInserts, there: VconRow, vcon: NewVcon): Promise<void> {
  const { row } = vcon;
  if (row.digest === there.digest) return;
  await unindexVcon(writing, there.id);
  await writing.db
    .updateTable('vcon')
    .set({ ...row, revision: there.revision + 1 })
    .where('id', '=', there.id)
    .execute();
  await inserts.index(writing, [{ id: there.id, vcon }]);
  await announceChange(writing, there, row);
}

async function announceChange({ db, announce, listChanged }: VconWriting, there: VconRow, row: NewRow): Promise<void> {
  const isPlain = there.form === 'unsigned' && row.form === 'unsigned';
  const { uuid } = row;
  announce(...(isPlain ? changedTopics(uuid, parsedDocument(there), parsedDocument(row)) : [wholeTopic(uuid)]));
  const isListedAlike =
    row.created === there.created && row.created_at === there.created_at && row.subject === there.subject;
  if (!isListedAlike) {
    announce(collectionTopic);
    listChanged();
    return;
  }
  // A concurrent creation or deletion makes all of the newest stale, so the rank need not be exact.
  const { rows } = await sql<{ rank: number | string }>`
    select count(*) as rank from (
      select 1 from vcon where (created, uuid) > (${there.created}, ${there.uuid})
      order by created desc, uuid desc limit ${maxRecent}) as newer`.execute(db);
  const rank = Number(rows[0]?.rank ?? 0);
  if (rank < maxRecent) announce(rankTopic(rank));
}

export function unknownVcon(uuid: string): LiveError {
  return new LiveError('RESOURCE_NOT_FOUND', `There is no vCon with the UUID ${uuid}: it may have been deleted.`);
}

function sealedFromChange(form: string): LiveError {
  return new LiveError(
    'INVALID_PARAMS',
    `This vCon is ${form}, and a change would break that. Create a new one that names it in "amended" instead.`,
  );
}
