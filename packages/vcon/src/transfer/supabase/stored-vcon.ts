// Assembles a vCon from the rows in which vcon-mcp stores it: one of vcons, and those of its parts. Columns of the vCon
// get the names of the format; columns for the database only are left out.
import { isList, isObject, type Json, type JsonObject } from '../../model/json.ts';

export interface StoredVcon {
  vcon: JsonObject;
  parties: Json;
  dialog: Json;
  history: Json;
  analysis: Json;
  attachments: Json;
  groups: Json;
}

const headNames: Record<string, string> = {
  vcon_version: 'vcon',
  must_support: 'critical',
  appended: 'amended',
  group_data: 'group',
};
const headFields = 'vcon uuid extensions critical created_at updated_at subject redacted amended group'.split(' ');

const entryNames: Record<string, string> = {
  start_time: 'start',
  duration_seconds: 'duration',
  mimetype: 'mediatype',
  dialog_indices: 'dialog',
  session_id_legacy: 'session_id',
};
const ofDatabase = new Set(['id', 'vcon_id', 'dialog_id', 'tenant_id', 'size_bytes', 'created_at', 'embedding']);

export function vconOf(stored: StoredVcon): JsonObject {
  const head = renamed(stored.vcon, headNames);
  const fields = headFields.flatMap((name) => (isEmpty(head[name]) ? [] : [[name, timeOf(head[name] ?? null)]]));
  const groups = rowsOf(stored.groups).map((row) => entryOf(row));
  return {
    ...Object.fromEntries(fields),
    ...(groups.length > 0 && { group: groups }),
    parties: inPlaces(stored.parties, 'party_index', entryOf),
    dialog: inPlaces(stored.dialog, 'dialog_index', (row) => dialogOf(row, rowsOf(stored.history))),
    analysis: rowsOf(stored.analysis).map((row) => analysisOf(row)),
    attachments: rowsOf(stored.attachments).map((row) => entryOf(row)),
  };
}

function dialogOf(row: JsonObject, history: readonly JsonObject[]): JsonObject {
  const events = history
    .filter(({ dialog_id }) => dialog_id === row['id'])
    .map(({ party_index: party = null, time = null, event = null, dtmf = null }) => {
      const said = { party, time: timeOf(time), event };
      return dtmf === null ? said : Object.assign(said, { button: dtmf });
    });
  return { ...entryOf(row), ...(events.length > 0 && { party_history: events }) };
}

/** A single index is stored as a list of one. */
function analysisOf(row: JsonObject): JsonObject {
  const { dialog, ...entry } = entryOf(row);
  if (dialog === undefined) return entry;
  const [only, ...others] = isList(dialog) ? dialog : [dialog];
  return { ...entry, dialog: only !== undefined && others.length === 0 ? only : dialog };
}

function entryOf(row: JsonObject): JsonObject {
  const fields = Object.entries(renamed(row, entryNames)).filter(
    ([name, value]) => !isEmpty(value) && !ofDatabase.has(name) && !/_index$|_tsvector$/.test(name),
  );
  return Object.fromEntries(fields.map(([name, value]) => [name, name === 'start' ? timeOf(value) : value]));
}

/** If both names have a value, the newer one counts. */
function renamed(row: JsonObject, names: Record<string, string>): JsonObject {
  const fields: Record<string, Json> = {};
  for (const [column, value] of Object.entries(row)) {
    const name = names[column] ?? column;
    if (isEmpty(fields[name]) || (name === column && !isEmpty(value))) fields[name] = value;
  }
  return fields;
}

/** Entries refer to these by index, so an empty one replaces a missing row. */
function inPlaces(rows: Json, column: string, entry: (row: JsonObject) => JsonObject): JsonObject[] {
  const entries: JsonObject[] = [];
  for (const row of rowsOf(rows)) {
    const index = row[column];
    const missing = typeof index === 'number' ? Math.min(index, mostPlaces) - entries.length : 0;
    for (let n = 0; n < missing; n += 1) entries.push({});
    entries.push(entry(row));
  }
  return entries;
}

const mostPlaces = 10_000;

function rowsOf(rows: Json): JsonObject[] {
  return isList(rows) ? rows.filter(isObject) : [];
}

/** PostgreSQL writes UTC as +00:00. */
function timeOf(value: Json): Json {
  return typeof value === 'string' ? value.replace(/(?<=\d)\+00:00$/, 'Z') : value;
}

/** Columns without a value hold null, or an empty object or list. */
function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  return isList(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}
