// The document among the arguments of `create_vcon`: its own fields, or all of them under `vcon_data`, as other vCon
// servers take them. Fields that no version of the format has are kept beside those that it has. Without any known
// field, what was given is no vCon: it must not become an empty conversation.
import { bySimilarity, suggestion } from '@tidings/live/internal';
import { formOf } from '../model/form.ts';
import { type JsonObject, isObject } from '../model/json.ts';
import { knownFields } from '../model/vcon.ts';
import { invalidParams } from '../model/invalid-params.ts';

const wrapper = 'vcon_data';
/** Fields, and arguments that stand beside them. */
const meantNames = [...knownFields, wrapper, 'updates', 'vcon_uuid'];

export function newDocument(args: JsonObject): JsonObject {
  const { [wrapper]: wrapped, ...others } = args;
  if (wrapped === undefined) return checked(args);
  if (!isObject(wrapped))
    throw invalidParams(`${wrapper} is not an object: give the vCon, or its fields without ${wrapper}.`);
  const [other] = Object.keys(others);
  if (other !== undefined) throw invalidParams(`"${other}" is not allowed together with ${wrapper}: leave it out.`);
  return checked(wrapped);
}

function checked(document: JsonObject): JsonObject {
  if (formOf(document) !== 'unsigned') return document;
  const names = Object.keys(document);
  const inner = names.find((name) => isDocument(document[name]));
  if (names.length === 1 && inner !== undefined) {
    throw invalidParams(`The vCon is inside "${inner}": give its fields as they are, or under ${wrapper}.`);
  }
  if (names.some((name) => knownFields.includes(name))) {
    refuseMisspelt(names);
    return document;
  }
  const [first = ''] = names;
  const hint = first === '' ? `give at least one of ${knownFields.join(', ')}.` : suggestion(first, knownFields);
  throw invalidParams(`No field of a vCon was given: ${hint}`);
}

/** Extension fields are kept, but a name one letter away from a known field is refused as a mistake. */
export function refuseMisspelt(names: readonly string[]): void {
  for (const name of names) {
    if (meantNames.includes(name)) continue;
    const [meant] = bySimilarity(name, meantNames);
    if (meant !== undefined && meant.distance <= 1) {
      throw invalidParams(`There is no field "${name}": did you mean "${meant.name}"?`);
    }
  }
}

function isDocument(value: unknown): boolean {
  return isObject(value) && Object.keys(value).some((name) => knownFields.includes(name));
}
