// The three forms of a vCon. A signed or encrypted one is stored unchanged; this file reads what is readable without
// keys, and verifies nothing.
import { isDeeperThan } from '@tidings/live/internal';
import { parsedJson } from '@tidings/live/portable';
import { isList, isObject, type JsonObject } from './json.ts';
import { mostLevels } from './nesting.ts';

export type Form = 'unsigned' | 'signed' | 'encrypted';

export function formOf(document: JsonObject): Form {
  const { payload, ciphertext } = document;
  const has = (field: string) => document[field] !== undefined;
  if (typeof payload === 'string' && (has('signatures') || has('signature'))) return 'signed';
  if (typeof ciphertext === 'string' && (has('recipients') || has('protected') || has('encrypted_key') || has('iv'))) {
    return 'encrypted';
  }
  return 'unsigned';
}

/** Whether a signed or encrypted document is written in the form for one signature or recipient only. */
export function isFlattened(document: JsonObject): boolean {
  return !isList(formOf(document) === 'signed' ? document['signatures'] : document['recipients']);
}

/** The vCon inside a signed document; undefined if the payload is not a JSON object. */
export function payloadOf(document: JsonObject): JsonObject | undefined {
  const { payload } = document;
  if (typeof payload !== 'string' || !/^[\w-]+={0,2}$/.test(payload)) return undefined;
  const value = parsedJson(Buffer.from(payload, 'base64url').toString('utf8'));
  return isObject(value) && !isDeeperThan(value, mostLevels) ? value : undefined;
}

/** The first unprotected header beside the payload or ciphertext. */
export function openHeaderOf(document: JsonObject): JsonObject {
  const { signatures, header, unprotected } = document;
  const headers = isList(signatures) ? signatures.map((signature) => isObject(signature) && signature['header']) : [];
  return [unprotected, header, ...headers].find(isObject) ?? {};
}
