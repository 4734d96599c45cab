// Converts between a vCon and its row.
import type { Accepted } from '../model/accept.ts';
import { contentDigest, isTextDigest, textDigest } from '../model/digest.ts';
import type { JsonObject } from '../model/json.ts';
import { folded, partyText } from '../model/party-text.ts';
import type { Redaction, Steps } from '../model/redaction.ts';
import { type ArrayName, arrayNames } from '../model/vcon.ts';
import type { VconRow } from './tables.ts';

export type NewRow = Omit<VconRow, 'id' | 'revision'>;

export const rowColumns = [
  'uuid',
  'created',
  'created_at',
  'subject',
  'form',
  'digest',
  'size',
  'subject_key',
  'party_key',
  'head',
  ...arrayNames,
  'sealed',
] as const satisfies readonly (keyof NewRow)[];

/** The lists of a document as their original JSON text. */
export type WrittenLists = Readonly<Partial<Record<ArrayName, string>>>;

/** Lists that are not in `written` are serialised. */
export function rowOf(accepted: Accepted, written: WrittenLists = {}): NewRow {
  const { uuid, created, form, document, content, head, givenDigest } = accepted;
  const { subject, created_at } = head;
  const isPlain = form === 'unsigned';
  // A missing array stays missing.
  const array = (name: ArrayName) =>
    isPlain && Object.hasOwn(document, name) ? (written[name] ?? JSON.stringify(document[name])) : null;
  const columns = {
    uuid,
    created,
    created_at: JSON.stringify(created_at ?? iso(created)),
    subject: subject === undefined ? null : JSON.stringify(subject),
    form,
    subject_key: typeof subject === 'string' ? folded(subject) : '',
    party_key: partyText(content['parties']),
    head: JSON.stringify(head),
    parties: array('parties'),
    dialog: array('dialog'),
    analysis: array('analysis'),
    attachments: array('attachments'),
    sealed: isPlain ? null : JSON.stringify(document),
  };
  const text = documentText(columns);
  return { ...columns, size: text.length, digest: givenDigest ?? textDigest(text) };
}

export type DocumentColumns = Pick<VconRow, 'head' | 'sealed' | ArrayName>;
export const documentColumns = ['head', 'sealed', ...arrayNames] as const;

/** The document as JSON, assembled from its columns without parsing them. */
export function documentText(row: DocumentColumns): string {
  if (row.sealed !== null) return row.sealed;
  let text = row.head.slice(0, -1);
  for (const name of arrayNames) if (row[name] !== null) text += `,"${name}":${row[name]}`;
  return `${text}}`;
}

/** Whether both have the same content; the order of fields does not matter. */
export function isSameContent(one: DigestedColumns, other: DigestedColumns): boolean {
  return one.digest === other.digest || contentDigestOf(one) === contentDigestOf(other);
}

type DigestedColumns = Pick<VconRow, 'digest'> & DocumentColumns;

function contentDigestOf(row: DigestedColumns): string {
  return isTextDigest(row.digest) ? contentDigest(parsedDocument(row)) : row.digest;
}

/** The whole document, in any form. */
export function parsedDocument(row: DocumentColumns): JsonObject {
  const document: JsonObject = JSON.parse(documentText(row));
  return document;
}

type ShownColumns = Pick<VconRow, 'form'> & DocumentColumns;

/** For a signed or encrypted vCon, only its readable fields. */
export function documentOf(row: ShownColumns, redaction?: Redaction): JsonObject {
  if (row.form !== 'unsigned') return knownOf(row, redaction);
  const document = parsedDocument(row);
  return redaction?.document(document) ?? document;
}

/** The same in steps of one entry each. */
export function* documentInSteps(row: ShownColumns, redaction: Redaction): Steps<JsonObject> {
  return row.form === 'unsigned' ? yield* redaction.documentInSteps(parsedDocument(row)) : knownOf(row, redaction);
}

function knownOf({ head }: ShownColumns, redaction: Redaction | undefined): JsonObject {
  const known: JsonObject = JSON.parse(head);
  return redaction?.head(known) ?? known;
}

function iso(microseconds: number): string {
  return new Date(microseconds / 1000).toISOString();
}
