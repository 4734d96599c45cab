// Changes to one entry or to fields of a document. Each returns a new document; everything else stays as it was.
import { formOf } from './form.ts';
import { isList, isObject, type Json, type JsonObject } from './json.ts';
import { arrayNames, type ArrayName } from './vcon.ts';
import { invalidParams } from './invalid-params.ts';

export function addEntry(
  document: JsonObject,
  name: ArrayName,
  entry: JsonObject,
): { document: JsonObject; index: number } {
  const list = editable(document, name);
  return { document: { ...document, [name]: [...list, entry] }, index: list.length };
}

/** Fields of `changes` replace those of the entry; null removes one. */
export function updateEntry(document: JsonObject, name: ArrayName, index: number, changes: JsonObject): JsonObject {
  const list = editable(document, name);
  const entry = entryAt(list, name, index);
  return { ...document, [name]: list.with(index, merged(entry, changes)) };
}

/**
 * Parties and dialogs are referred to by index, so an empty entry replaces a removed one; in other lists, later entries
 * move up.
 */
export function removeEntry(document: JsonObject, name: ArrayName, index: number): JsonObject {
  const list = editable(document, name);
  entryAt(list, name, index);
  if (name === 'parties' || name === 'dialog') return { ...document, [name]: list.with(index, {}) };
  const shortened = { ...document, [name]: list.toSpliced(index, 1) };
  const { analysis } = document;
  if (name === 'analysis' || !isList(analysis)) return shortened;
  return { ...shortened, analysis: analysis.map((entry) => withoutAttachment(entry, index)) };
}

/** Fields of the head; null removes one. */
export function updateFields(document: JsonObject, changes: JsonObject): JsonObject {
  checkUnsigned(document);
  if (Object.hasOwn(changes, 'uuid')) throw invalidParams('uuid cannot be changed: create a new vCon instead.');
  if (changes['created_at'] === null)
    throw invalidParams('created_at cannot be removed: give a time, or leave it as it is.');
  const list = arrayNames.find((name) => Object.hasOwn(changes, name));
  if (list !== undefined) {
    throw invalidParams(`${list} cannot be replaced as a whole: add, update or remove its entries one by one.`);
  }
  const changed = merged(document, changes);
  checkUnsigned(changed);
  return changed;
}

function editable(document: JsonObject, name: ArrayName): readonly Json[] {
  checkUnsigned(document);
  const list = document[name];
  return isList(list) ? list : [];
}

function checkUnsigned(document: JsonObject): void {
  const form = formOf(document);
  if (form !== 'unsigned')
    throw invalidParams(`The vCon is ${form} and cannot be edited: create a new one that amends it.`);
}

function entryAt(list: readonly Json[], name: ArrayName, index: number): JsonObject {
  const entry = list[index];
  if (isObject(entry)) return entry;
  const range = list.length === 0 ? 'there are none' : `there are ${list.length}, counted from 0`;
  throw invalidParams(`${name} has no entry ${index}: ${range}.`);
}

function merged(object: JsonObject, changes: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries({ ...object, ...changes }).filter(
      ([name]) => changes[name] !== null || !Object.hasOwn(changes, name),
    ),
  );
}

function withoutAttachment(entry: Json, removed: number): Json {
  if (!isObject(entry) || !Object.hasOwn(entry, 'attachment')) return entry;
  const { attachment } = entry;
  const moved = (index: Json) => (typeof index === 'number' && index > removed ? index - 1 : index);
  if (isList(attachment)) return { ...entry, attachment: attachment.filter((index) => index !== removed).map(moved) };
  if (attachment === undefined || attachment === removed) return merged(entry, { attachment: null });
  return { ...entry, attachment: moved(attachment) };
}
