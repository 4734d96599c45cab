// Adds hooks to the text of a host's file, and changes no other character. Hooks of ours that are there already get the
// current address.
import { isDeepStrictEqual } from 'node:util';
import { type JsonStyle, addItem, replaceValue, setMember } from '../base/set-member.ts';
import { UnreadableFile, asRecord, parsed, withEdit } from './edit.ts';
import { type HookEntries, inGroup } from './hook-entries.ts';
import type { HookWay, HookedHost } from './hooked-host.ts';
import { ownWayOf, renewed } from './own-hook.ts';

/** Returns the text with the hooks; the same text if it has them already. */
export function withHooks(text: string, host: HookedHost, entries: HookEntries): string {
  return withEdit(text, (whole, style) => {
    let edited = whole;
    const root = asRecord(parsed(whole, host.hasComments), 'The file is not a JSON object.');
    const present = asRecord(root['hooks'] ?? {}, '"hooks" in it is not a JSON object.');
    for (const [name, value] of Object.entries(host.required)) {
      if (!(name in root)) edited = setMember(edited, [name], value, style);
    }
    for (const [event, way] of Object.entries(host.events)) {
      edited = withHook(edited, host, { event, way, present: present[event], entries, style });
    }
    return edited;
  });
}

interface WantedHook {
  event: string;
  way: HookWay;
  /** The present value in the file for this event. */
  present: unknown;
  entries: HookEntries;
  style: JsonStyle;
}

function withHook(text: string, host: HookedHost, { event, way, present, entries, style }: WantedHook): string {
  const added = inGroup(host, entries[way]);
  if (present === undefined) return setMember(text, ['hooks', event], [added], style);
  if (!Array.isArray(present)) throw new UnreadableFile(`"${event}" in its "hooks" is not an array.`);
  let edited = text;
  let isThere = false;
  for (const { path, hook } of placesIn(host, present)) {
    const ownWay = ownWayOf(host, hook, entries);
    if (ownWay === undefined) continue;
    isThere = true;
    const current = renewed(host, hook, ownWay, entries[ownWay]);
    if (!isDeepStrictEqual(current, hook)) edited = replaceValue(edited, ['hooks', event, ...path], current, style);
  }
  return isThere ? edited : addItem(edited, ['hooks', event], added, style);
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
