// The only way to read vCons. Under a redaction, everything it returns is redacted.
import { LiveError } from '@tidings/live';
import type { TimeSlice } from '@tidings/live/time';
import { type Json, type JsonObject, isList } from '../model/json.ts';
import type { Redaction } from '../model/redaction.ts';
import { headOf } from '../model/accept.ts';
import { type Form, formOf } from '../model/form.ts';
import type { ArrayName } from '../model/vcon.ts';
import { type ListPosition, listCursor } from './list-position.ts';
import { inSlices } from './in-slices.ts';
import { type DocumentColumns, documentText, parsedDocument } from './row.ts';
import type { VconRow } from './tables.ts';
import type { Column, ListedVcon, VconQueries } from './vcon-queries.ts';
import type { Signature, VconKeys } from './vcon-keys.ts';
import { unknownVcon } from './writes.ts';

interface VconPage {
  /** Each one's uuid, created_at and subject, as JSON. */
  entries: string[];
  nextCursor: string | null;
}

interface OpenedVcon {
  form: Form;
  signature?: Signature;
  content?: JsonObject;
}

export interface Summary {
  uuid: string;
  createdAt: Json;
  subject: Json;
}

export class VconReader {
  readonly #queries: VconQueries;
  readonly #redaction: Redaction | undefined;
  readonly #budget: number;
  readonly #keys: VconKeys;
  readonly #slice: TimeSlice;

  /** `budget`: how many characters one answer may have. `slice` is that of all readers. */
  constructor(
    queries: VconQueries,
    redaction: Redaction | undefined,
    budget: number,
    keys: VconKeys,
    slice: TimeSlice,
  ) {
    this.#slice = slice;
    this.#keys = keys;
    this.#queries = queries;
    this.#redaction = redaction;
    this.#budget = budget;
  }

  /** The document as JSON. */
  async document(uuid: string): Promise<string> {
    const row = await this.#queries.whole(uuid);
    if (row === undefined) throw unknownVcon(uuid);
    if (row.form !== 'unsigned' && this.#redaction) throw notRedactable(row.form);
    const text = await this.#text(row);
    if (text.length > this.#budget) throw tooLarge('This vCon is', 'Read one part of it, such as its metadata');
    return text;
  }

  /** Everything except the arrays; of a signed or encrypted vCon, the readable fields. */
  async head(uuid: string): Promise<JsonObject> {
    const { form, piece } = await this.#piece(uuid, 'head');
    const known = withoutClaims(JSON.parse(piece ?? '{}'));
    if (form === 'unsigned') return this.#redacted(known);
    const { signature, content } = await this.#opened(uuid);
    const inside = form === 'encrypted' && content !== undefined ? withoutClaims(headOf(content)) : {};
    return this.#redacted({ ...known, ...inside, form, ...(signature !== undefined && { signature }) });
  }

  /** The readable document: the payload of a signed vCon, the decrypted content of an encrypted one. */
  async content(uuid: string): Promise<JsonObject> {
    const { form, content } = await this.#opened(uuid);
    if (content === undefined) throw sealed(form, 'content');
    return this.#redaction === undefined ? content : inSlices(this.#redaction.documentInSteps(content), this.#slice);
  }

  /** Whether a known key made the signature, and whether the content can be read. */
  async verification(uuid: string): Promise<{ form: Form; signature: Signature | 'none'; isReadable: boolean }> {
    const { form, signature = 'none', content } = await this.#opened(uuid);
    return { form, signature, isReadable: content !== undefined };
  }

  /** One array of the document as JSON; `[]` if it is missing. */
  async arrayText(uuid: string, name: ArrayName): Promise<string> {
    const { form, piece } = await this.#piece(uuid, name);
    if (form !== 'unsigned') return this.#sealedArray(uuid, name);
    if (piece === null || piece === 'null') return '[]';
    return this.#redaction ? this.#partText(this.#redaction, name, JSON.parse(piece)) : piece;
  }

  async #sealedArray(uuid: string, name: ArrayName): Promise<string> {
    const { form, content } = await this.#opened(uuid);
    if (content === undefined) throw sealed(form, name);
    const list = content[name] ?? [];
    return this.#redaction ? this.#partText(this.#redaction, name, list) : JSON.stringify(list);
  }

  async #partText(redaction: Redaction, name: ArrayName, value: Json): Promise<string> {
    return JSON.stringify(await inSlices(redaction.partInSteps(name, value), this.#slice));
  }

  /** For an encrypted vCon, the signature is that of the decrypted content. */
  async #opened(uuid: string): Promise<OpenedVcon> {
    const row = await this.#queries.whole(uuid);
    if (row === undefined) throw unknownVcon(uuid);
    const { form } = row;
    const document: JsonObject = JSON.parse(documentText(row));
    if (form === 'unsigned') return { form, content: document };
    const inner = form === 'encrypted' ? await this.#keys.decrypt(document) : document;
    if (inner === undefined) return { form };
    const signature = formOf(inner) === 'signed' ? await this.#keys.verify(inner) : undefined;
    const content = await this.#keys.open(inner);
    return { form, ...(signature !== undefined && { signature }), ...(content !== undefined && { content }) };
  }

  async array(uuid: string, name: ArrayName): Promise<readonly Json[]> {
    const value: unknown = JSON.parse(await this.arrayText(uuid, name));
    return isList(value) ? value : [];
  }

  /** The newest documents, each as JSON. */
  async newest(limit: number): Promise<string[]> {
    if (this.#redaction) return this.#newestRedacted(limit);
    const rows = await this.#queries.newest(limit, this.#budget);
    const fitting = rows.findIndex(({ reached }) => reached > this.#budget);
    if (fitting !== -1) throw tooManyNewest(limit, fitting);
    return rows.map((row) => documentText(row));
  }

  /**
   * The size after redaction counts, since the original size would reveal how much is hidden; so each document is read.
   */
  async #newestRedacted(limit: number): Promise<string[]> {
    const texts: string[] = [];
    let reached = 0;
    for (const { uuid } of await this.#queries.listed(limit)) {
      const row = await this.#queries.whole(uuid);
      // Deleted since the list was read.
      if (row === undefined) continue;
      const text = await this.#text(row);
      reached += text.length;
      if (reached > this.#budget) throw tooManyNewest(limit, texts.length);
      texts.push(text);
    }
    return texts;
  }

  async page(limit: number, after?: ListPosition): Promise<VconPage> {
    // One more than the page, to know whether there is a next one.
    const rows = await this.#queries.listed(limit + 1, after);
    const last = rows.length > limit ? rows[limit - 1] : undefined;
    return {
      entries: rows.slice(0, limit).map((row) => this.#entry(row)),
      nextCursor: last === undefined ? null : listCursor(last),
    };
  }

  async summaries(limit: number): Promise<Summary[]> {
    const rows = await this.#queries.listed(limit);
    return rows.map((row) => {
      const { uuid, created_at: createdAt, subject } = JSON.parse(this.#entry(row));
      return { uuid, createdAt, subject };
    });
  }

  uuidsStartingWith(prefix: string, limit: number): Promise<string[]> {
    return this.#queries.startingWith(prefix.toLowerCase(), limit);
  }

  async #piece(uuid: string, column: Column) {
    const row = await this.#queries.piece(uuid, column);
    if (row === undefined) throw unknownVcon(uuid);
    return row;
  }

  #entry({ uuid, created_at, subject }: ListedVcon): string {
    const entry = `{"uuid":"${uuid}","created_at":${created_at},"subject":${subject}}`;
    if (this.#redaction === undefined) return entry;
    // Redacted like the document's own fields; a dropped time is null.
    return JSON.stringify({ uuid, created_at: null, subject: null, ...this.#redaction.head(JSON.parse(entry)) });
  }

  #redacted(head: JsonObject): JsonObject {
    return this.#redaction?.head(head) ?? head;
  }

  /** A sealed vCon cannot be redacted: in lists, only its metadata is shown. */
  async #text(row: Pick<VconRow, 'form'> & DocumentColumns): Promise<string> {
    if (this.#redaction === undefined) return documentText(row);
    if (row.form !== 'unsigned')
      return JSON.stringify(this.#redacted({ ...withoutClaims(JSON.parse(row.head)), form: row.form }));
    return JSON.stringify(await inSlices(this.#redaction.documentInSteps(parsedDocument(row)), this.#slice));
  }
}

/** In metadata, `form` and `signature` are what this server has found, not what a document says of itself. */
function withoutClaims(head: JsonObject): JsonObject {
  if (!Object.hasOwn(head, 'form') && !Object.hasOwn(head, 'signature')) return head;
  const { form: _, signature: __, ...others } = head;
  return others;
}

function sealed(form: string, name: string): LiveError {
  return new LiveError(
    'RESOURCE_NOT_FOUND',
    `This vCon is ${form}, so its ${name} cannot be read here: read the vCon itself and open it with your key, or let the operator give it in TIDINGS_VCON_KEYS.`,
  );
}

function notRedactable(form: string): LiveError {
  return new LiveError(
    'PERMISSION_DENIED',
    `Your credentials show redacted conversations only, and a vCon that is ${form} cannot be redacted.`,
  );
}

function tooManyNewest(limit: number, fitting: number): LiveError {
  const less = fitting === 0 ? 'Read recent/ids, then parts of each' : `Ask for at most ${fitting}`;
  return tooLarge(`The newest ${limit} vCons are`, less);
}

function tooLarge(what: string, less: string): LiveError {
  return new LiveError('RESPONSE_TOO_LARGE', `${what} too large for one answer. ${less}.`);
}
