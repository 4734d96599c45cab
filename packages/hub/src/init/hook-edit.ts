// Adds hooks to the text of a host's file, and changes no other character. A hook of ours that has another address is
// replaced; one that the user has given options (`?uri=…`, `--uri …`) or another time limit stays as it is.
import { isDeepStrictEqual } from 'node:util';
import * as jsonc from 'jsonc-parser';
import { setMember } from '../base/set-member.ts';
import { UnreadableFile, asRecord, parsed } from './edit.ts';
import { type HookEntry, inGroup } from './hook-entries.ts';
import type { HookedHost } from './hooked-host.ts';

/** Returns the text with the hooks; the same text if it has them already. */
export function withHooks(text: string, host: HookedHost, entries: Record<string, HookEntry>): string {
  const bare = text.replace(/^\uFEFF/, '');
  const mark = text.slice(0, text.length - bare.length);
  let edited = bare.trim() === '' ? '{}\n' : bare;
  const root = asRecord(parsed(edited, host.hasComments), 'The file is not a JSON object.');
  const present = asRecord(root['hooks'] ?? {}, '"hooks" in it is not a JSON object.');
  for (const [name, value] of Object.entries(host.required)) {
    if (!(name in root)) edited = setMember(edited, [name], value);
  }
  for (const [event, entry] of Object.entries(entries)) {
    edited = withHook(edited, host, { event, entry, present: present[event] });
  }
  return bare.trim() === '' || edited !== bare ? mark + edited : text;
}

interface WantedHook {
  event: string;
  entry: HookEntry;
  /** What the file has for this event. */
  present: unknown;
}

function withHook(text: string, host: HookedHost, { event, entry, present }: WantedHook): string {
  if (present === undefined) return setMember(text, ['hooks', event], [inGroup(host, entry)]);
  if (!Array.isArray(present)) throw new UnreadableFile(`"${event}" in its "hooks" is not an array.`);
  const ours = placesIn(host, present).find(({ hook }) => isOurs(host, hook));
  if (ours === undefined) return modified(text, ['hooks', event, -1], inGroup(host, entry), true);
  return isCurrent(ours.hook, entry) ? text : modified(text, ['hooks', event, ...ours.path], entry, false);
}

interface PlacedHook {
  path: (string | number)[];
  hook: Record<string, unknown>;
}

function placesIn({ hasGroups }: HookedHost, present: readonly unknown[]): PlacedHook[] {
  return present.flatMap((each, index): PlacedHook[] => {
    if (!hasGroups) return [{ path: [index], hook: Object(each) }];
    const { hooks } = Object(each);
    if (!Array.isArray(hooks)) return [];
    return hooks.map((hook: unknown, inner) => ({ path: [index, 'hooks', inner], hook: Object(hook) }));
  });
}

/** An older address or place of ours counts too. */
function isOurs({ name }: HookedHost, { url, command }: Record<string, unknown>): boolean {
  const isHttp = typeof url === 'string' && new RegExp(String.raw`^https?://[^/]+/hooks/${name}(\?|$)`).test(url);
  const isCommand =
    typeof command === 'string' && new RegExp(String.raw`tidings(\.js)?['"]? hook ${name}( |$)`).test(command);
  return isHttp || isCommand;
}

function isCurrent(hook: Record<string, unknown>, entry: HookEntry): boolean {
  return Object.entries(entry).every(([member, value]) => {
    if (member === 'timeout') return true;
    if (member === 'url') return beginsWith(hook[member], value, '?');
    if (member === 'command') return beginsWith(hook[member], value, ' ');
    return isDeepStrictEqual(hook[member], value);
  });
}

function beginsWith(text: unknown, start: unknown, separator: string): boolean {
  return text === start || (typeof text === 'string' && text.startsWith(`${String(start)}${separator}`));
}

function modified(text: string, path: jsonc.JSONPath, value: unknown, isArrayInsertion: boolean): string {
  const formattingOptions = { insertSpaces: true, tabSize: 2 };
  return jsonc.applyEdits(text, jsonc.modify(text, path, value, { isArrayInsertion, formattingOptions }));
}
