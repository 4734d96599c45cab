// A vCon as its row holds it, and a row as a vCon.
import type { Accepted } from '../model/accept.ts';
import type { JsonObject } from '../model/json.ts';
import { folded, partyText } from '../model/party-text.ts';
import type { Redaction } from '../model/redaction.ts';
import { type ArrayName, arrayNames } from '../model/vcon.ts';
import type { VconRow } from './tables.ts';

type NewRow = Omit<VconRow, 'id' | 'revision'>;

export function rowOf({ uuid, created, form, document, content, head, digest }: Accepted): NewRow {
  const { subject, created_at } = head;
  const isPlain = form === 'unsigned';
  const columns: DocumentColumns = {
    head: JSON.stringify(head),
    ...(isPlain ? arraysOf(document) : noArrays),
    sealed: isPlain ? null : JSON.stringify(document),
  };
  return {
    uuid,
    created,
    created_at: JSON.stringify(created_at ?? iso(created)),
    subject: subject === undefined ? null : JSON.stringify(subject),
    form,
    digest,
    size: lengthOf(columns),
    subject_key: typeof subject === 'string' ? folded(subject) : '',
    party_key: partyText(content['parties']),
    ...columns,
  };
}

type Arrays = Pick<VconRow, ArrayName>;
const noArrays: Arrays = { parties: null, dialog: null, analysis: null, attachments: null };

/** An array that is not there is not there afterwards either. */
function arraysOf(document: JsonObject): Arrays {
  const arrays = { ...noArrays };
  for (const name of arrayNames) if (Object.hasOwn(document, name)) arrays[name] = JSON.stringify(document[name]);
  return arrays;
}

export type DocumentColumns = Pick<VconRow, 'head' | 'sealed' | ArrayName>;
export const documentColumns = ['head', 'sealed', ...arrayNames] as const;

/** The document as JSON, put together from its parts without reading them. */
export function documentText(row: DocumentColumns): string {
  if (row.sealed !== null) return row.sealed;
  const arrays = arrayNames.flatMap((name) => (row[name] === null ? [] : [`"${name}":${row[name]}`]));
  return `${[row.head.slice(0, -1), ...arrays].join(',')}}`;
}

/** Characters of `documentText`, without putting it together. */
function lengthOf(row: DocumentColumns): number {
  if (row.sealed !== null) return row.sealed.length;
  return arrayNames.reduce((length, name) => {
    const list = row[name];
    return list === null ? length : length + `,"${name}":`.length + list.length;
  }, row.head.length);
}

/** Of what is sealed, only what is known of it. */
export function documentOf(row: Pick<VconRow, 'form'> & DocumentColumns, redaction?: Redaction): JsonObject {
  if (row.form !== 'unsigned') {
    const known: JsonObject = JSON.parse(row.head);
    return redaction?.head(known) ?? known;
  }
  const document: JsonObject = JSON.parse(documentText(row));
  return redaction?.document(document) ?? document;
}

function iso(microseconds: number): string {
  return new Date(microseconds / 1000).toISOString();
}
