// Adds entries to the text of a host's file, removes those they replace, and changes no other character.
import { isObject, splitMark } from '@tidings/live/portable';
import { positionOf, syntaxErrorText } from '@tidings/track/internal';
import { isDeepStrictEqual } from 'node:util';
import * as jsonc from 'jsonc-parser';
import { type HostEntry, type HostInput, inputReference } from './entries.ts';
import type { Host } from './host.ts';
import { type JsonStyle, addItem, setMember, styleOf, withoutMember } from '../base/set-member.ts';

/** The host itself would not accept the file, so it is not edited. */
export class UnreadableFile extends Error {}

/** Returns the text with the entries; the same text if it has them already. */
export function withEntries(
  text: string,
  host: Host,
  entries: Record<string, HostEntry>,
  replaced: readonly string[] = [],
): string {
  return withEdit(text, (whole, style) => {
    let edited = whole;
    const present = serversIn(whole, host);
    for (const [name, entry] of Object.entries(entries)) {
      if (isDeepStrictEqual(present[name], entry)) continue;
      edited = setMember(edited, [host.member, name], entry, style);
    }
    for (const name of replaced) if (name in present) edited = withoutMember(edited, [host.member, name]);
    return edited;
  });
}

/** Edits the JSON in the text of a file, in its style: an object if the file is empty. Keeps a byte order mark. */
export function withEdit(text: string, edit: (whole: string, style: JsonStyle) => string): string {
  const { mark, bare } = splitMark(text);
  const whole = bare.trim() === '' ? '{}\n' : bare;
  return mark + edit(whole, styleOf(whole));
}

/** Adds the inputs that the host requests; the text comes from `withEntries`. */
export function withInputs(text: string, inputs: readonly HostInput[]): string {
  return withEdit(text, (whole, style) => {
    const present = inputsIn(whole);
    const known = new Set(present?.map((each) => String(Object(each).id)));
    const added = inputs.filter(({ id }) => !known.has(id));
    if (present === undefined && added.length > 0) return setMember(whole, ['inputs'], added, style);
    return added.reduce((edited, input) => addItem(edited, ['inputs'], input, style), whole);
  });
}

/** Removes those of these inputs to which nothing in the text refers, and the list if it becomes empty. */
export function withoutUnusedInputs(text: string, ids: readonly string[]): string {
  return withEdit(text, (whole) => {
    let edited = whole;
    for (const id of ids.filter((each) => !whole.includes(inputReference(each)))) {
      const index = inputsIn(edited)?.findIndex((each) => Object(each).id === id) ?? -1;
      if (index !== -1) edited = withoutMember(edited, ['inputs', index]);
    }
    const isEmptied = edited !== whole && inputsIn(edited)?.length === 0;
    return isEmptied ? withoutMember(edited, ['inputs']) : edited;
  });
}

function inputsIn(text: string): readonly unknown[] | undefined {
  const root: unknown = jsonc.parse(text, [], { allowTrailingComma: true });
  const inputs: unknown = Object(root).inputs;
  if (inputs !== undefined && !Array.isArray(inputs)) throw new UnreadableFile('"inputs" in it is not an array.');
  return inputs;
}

function serversIn(text: string, { member, hasComments }: Host): Record<string, unknown> {
  const root = asRecord(parsed(text, hasComments), 'The file is not a JSON object.');
  return asRecord(root[member] ?? {}, `"${member}" in it is not a JSON object.`);
}

export function parsed(text: string, hasComments: boolean): unknown {
  const errors: jsonc.ParseError[] = [];
  const options = { disallowComments: !hasComments, allowTrailingComma: hasComments };
  const value: unknown = jsonc.parse(text, errors, options);
  const [error] = errors;
  if (error) throw unreadable(text, error.offset, syntaxErrorText(error.error));
  assertUnique(text);
  return value;
}

/** Of two members with one name, the host uses the last one, and an edit would change the first. */
function assertUnique(text: string): void {
  const objects: Set<string>[] = [];
  jsonc.visit(text, {
    onObjectBegin: () => void objects.push(new Set()),
    onObjectEnd: () => void objects.pop(),
    onObjectProperty: (name, offset) => {
      const names = objects.at(-1);
      if (names?.has(name)) throw unreadable(text, offset, `${JSON.stringify(name)} occurs twice in one object`);
      names?.add(name);
    },
  });
}

function unreadable(text: string, offset: number, complaint: string): UnreadableFile {
  return new UnreadableFile(`At ${positionOf(text, offset)}: ${complaint}.`);
}

export function asRecord(value: unknown, complaint: string): Record<string, unknown> {
  if (!isObject(value)) throw new UnreadableFile(complaint);
  return Object.fromEntries(Object.entries(value));
}
