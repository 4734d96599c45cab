// One entry of an array as a resource: its decoded bytes if its body is encoded, otherwise its JSON.
import { LiveError, content } from '@tidings/live';
import { decodedBody } from '../model/body.ts';
import { type Json, type JsonObject, isObject } from '../model/json.ts';
import type { ArrayName } from '../model/vcon.ts';

export function entryContent(entries: readonly Json[], name: ArrayName, index: string): unknown {
  const entry = /^\d+$/.test(index) ? entries[Number(index)] : undefined;
  if (!isObject(entry)) throw noSuchEntry(entries.length, name);
  const body = decodedBody(entry);
  if (body === undefined) return entry;
  return content(body.bytes, { mimeType: body.mediaType, _meta: { 'tidings/entry': withoutBody(entry) } });
}

function withoutBody({ body: _body, ...rest }: JsonObject): JsonObject {
  return rest;
}

function noSuchEntry(count: number, name: ArrayName): LiveError {
  const range = count === 0 ? 'has none' : `has ${count}, counted from 0`;
  return new LiveError('RESOURCE_NOT_FOUND', `There is no such entry: this vCon ${range} in its ${name}.`);
}
