// Reads the vCons of a vcon-mcp from its tables in PostgreSQL (Supabase, or any other). Changes nothing there.
import { LiveError } from '@tidings/live';
import { parsedUrl, systemCode } from '@tidings/live/portable';
import pg from 'pg';
import type { JsonObject } from '../../model/json.ts';
import type { RemotePage, RemoteSource } from '../remote-source.ts';
import { type StoredVcon, vconOf } from './stored-vcon.ts';

/** The number of vCons per query. */
const pageSize = 50;

/** Parts refer to vcons by id or, since a later version, by uuid. */
const parts = {
  parties: 'party_index',
  dialog: 'dialog_index',
  analysis: 'analysis_index',
  attachments: 'attachment_index',
};

export function supabaseSource(url: string): RemoteSource {
  const name = nameOf(url);
  return {
    name,
    count: () =>
      connected(url, name, async (client) => {
        const { rows } = await client.query<{ count: string }>('select count(*) as count from vcons');
        return Number(rows[0]?.count ?? 0);
      }),
    pages: (after) => pagesOf(url, name, after),
  };
}

async function* pagesOf(url: string, name: string, after = ''): AsyncGenerator<RemotePage> {
  const client = await opened(url, name);
  try {
    const query = pageQuery(await optionalTables(client));
    for (let last = after; ;) {
      const { rows } = await client.query<{ uuid: string; stored: string }>(query, [
        last === '' ? null : last,
        pageSize,
      ]);
      const end = rows.at(-1);
      if (end === undefined) return;
      last = end.uuid;
      yield { documents: rows.map(({ stored }) => documentOf(stored)), cursor: last };
      if (rows.length < pageSize) return;
    }
  } catch (error) {
    throw explained(error, name);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function documentOf(stored: string): { value: JsonObject; bytes: number } {
  const row: StoredVcon = JSON.parse(stored);
  return { value: vconOf(row), bytes: stored.length };
}

/**
 * Aliases differ from all columns. Whole rows, since versions of the schema have different columns. As text, so that
 * bodies are parsed only once.
 */
function pageQuery(has: { history: boolean; groups: boolean }): string {
  const rowsOf = (table: string, order: string) =>
    `(select json_agg(row_to_json(part_row) order by part_row.${order}) from ${table} as part_row
      where part_row.vcon_id in (v.id, v.uuid))`;
  const history = `(select json_agg(row_to_json(history_row) order by history_row.time) from party_history as history_row
      where history_row.dialog_id in (select id from dialog where vcon_id in (v.id, v.uuid)))`;
  const fields = [
    `'vcon', row_to_json(v)`,
    ...Object.entries(parts).map(([table, order]) => `'${table}', ${rowsOf(table, order)}`),
    `'history', ${has.history ? history : 'null'}`,
    `'groups', ${has.groups ? rowsOf('groups', 'group_index') : 'null'}`,
  ];
  return `select v.uuid::text as uuid, json_build_object(${fields.join(', ')})::text as stored
    from (select * from vcons where $1::uuid is null or uuid > $1::uuid order by uuid limit $2) as v order by v.uuid`;
}

async function optionalTables(client: pg.Client): Promise<{ history: boolean; groups: boolean }> {
  const { rows } = await client.query<{ history: boolean; groups: boolean }>(
    `select to_regclass('party_history') is not null as history, to_regclass('groups') is not null as groups`,
  );
  return rows[0] ?? { history: false, groups: false };
}

async function connected<T>(url: string, name: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await opened(url, name);
  try {
    return await use(client);
  } catch (error) {
    throw explained(error, name);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function opened(url: string, name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 20_000 });
  // An error between queries is reported by the next query.
  client.on('error', () => undefined);
  try {
    await client.connect();
    // UTC, and read-only.
    await client.query(`set timezone to 'UTC'; set default_transaction_read_only to on`);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw explained(error, name);
  }
}

/** Without user, password and parameters, which may be secrets. */
function nameOf(url: string): string {
  const parsed = parsedUrl(url);
  if (parsed === undefined || !/^postgres(?:ql)?:$/.test(parsed.protocol)) {
    throw new LiveError(
      'INVALID_PARAMS',
      'The database of vcon-mcp is given as postgres://user@host:5432/postgres; its password as PGPASSWORD.',
    );
  }
  return `${parsed.protocol}//${parsed.host}${parsed.pathname}`;
}

function explained(error: unknown, name: string): LiveError {
  if (error instanceof LiveError) return error;
  const code = systemCode(error) ?? '';
  const reason = error instanceof Error && error.message !== '' ? error.message : code;
  if (code === '42P01') {
    return new LiveError(
      'UNAVAILABLE',
      `${name} has no tables of vcon-mcp (${reason}): give the database that it uses.`,
    );
  }
  return new LiveError('UNAVAILABLE', `${name} cannot be read: ${reason}.`);
}
