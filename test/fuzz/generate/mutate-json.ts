// Changes one place of a JSON document, as a faulty client would.
import type { Dice } from './dice.ts';
import { type Json, type JsonObject, JsonText, isObject } from './json.ts';
import { oddCursor, oddKeys, oddNumber, oddUri, oddValue } from './odd-values.ts';

type Path = readonly (string | number)[];
/** `undefined` removes the place. */
type Change = (value: Json) => Json | undefined;

export function mutateJson(root: Json, methods: readonly string[], dice: Dice): Json {
  const all = places(root);
  // Errors in the envelope are refused early, so most errors are further inside.
  const inner = all.filter((path) => path.includes('params') && path.at(-1) !== 'params' && !path.includes('_meta'));
  const path = dice.pick(inner.length > 0 && dice.chance(0.7) ? inner : all);
  return changeAt(root, path, changeFor(path.at(-1), methods, dice)) ?? null;
}

function places(value: Json, path: Path = []): Path[] {
  const members = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  return [path, ...members.flatMap(([key, member]) => places(member, [...path, key]))];
}

function changeAt(value: Json, [key, ...rest]: Path, change: Change): Json | undefined {
  if (key === undefined) return change(value);
  if (Array.isArray(value)) {
    return value.flatMap((member, index) => (index === key ? (changeAt(member, rest, change) ?? []) : [member]));
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, member]): [string, Json][] => {
    if (name !== key) return [[name, member]];
    const changed = changeAt(member, rest, change);
    return changed === undefined ? [] : [[name, changed]];
  });
  // Unlike an assignment, this makes "__proto__" an ordinary property.
  return Object.fromEntries(members);
}

function changeFor(key: string | number | undefined, methods: readonly string[], dice: Dice): Change {
  return dice.among<Change>([
    [6, () => () => oddValue(dice)],
    [4, () => () => oddOfItsKind(key, methods, dice)],
    [3, () => () => undefined],
    [2, () => (value) => (isObject(value) ? withMember(value, dice.pick(oddKeys), oddValue(dice)) : [value])],
    [2, () => (value) => (isObject(value) ? renameOne(value, dice) : { value })],
    [1, () => (value) => (typeof value === 'number' ? String(value) : oddNumber(dice))],
    [1, () => (value) => (Array.isArray(value) ? [...value, ...value] : [value, value])],
  ]);
}

function oddOfItsKind(key: string | number | undefined, methods: readonly string[], dice: Dice): Json {
  if (key === 'uri' || typeof key === 'number') return oddUri(dice);
  if (key === 'name' && dice.chance(0.5)) return dice.pick(oddKeys);
  if (key === 'cursor') return oddCursor(dice);
  if (key === 'method')
    return dice.pick([...methods, 'unknown/method', 'resources/list ', '__proto__', 'rpc.discover', '']);
  if (key === 'jsonrpc') return dice.pick<Json>(['1.0', '2', 2, '2.0 ', null]);
  if (key === 'id')
    return dice.pick<Json>([null, true, 1.5, [], {}, '', 0, -1, 'x'.repeat(5000), new JsonText('1e999')]);
  return oddValue(dice);
}

function withMember(value: JsonObject, key: string, member: Json): JsonObject {
  return Object.fromEntries([...Object.entries(value), [key, member]]);
}

function renameOne(value: JsonObject, dice: Dice): Json {
  const entries = Object.entries(value);
  if (entries.length === 0) return withMember(value, dice.pick(oddKeys), null);
  const chosen = dice.below(entries.length);
  const name = dice.pick(oddKeys);
  return Object.fromEntries(entries.map(([key, member], index) => [index === chosen ? name : key, member]));
}
