// Sets, adds or removes one member in the text of a JSON file, with or without comments, and changes no other character.
import * as jsonc from 'jsonc-parser';

/**
 * Objects on the `path` are added where they are missing or null. The text must be a JSON object. For several changes of
 * a text, give the style that it had before the first: short files would get another with each.
 */
export function setMember(
  text: string,
  path: readonly [string, ...string[]],
  value: unknown,
  style = styleOf(text),
): string {
  const root = treeOf(text);
  if (jsonc.findNodeAtLocation(root, [...path])) return replaceValue(text, path, value, style);
  const [name, ...deeper] = path;
  const inner = jsonc.findNodeAtLocation(root, [name]);
  if (inner?.type === 'null') return replaceValue(text, [name], nested(deeper, value), style);
  if (inner && deeper.length > 0) return append(text, inner, memberOf(deeper, value, 2, style), 2, style);
  return append(text, root, memberOf(path, value, 1, style), 1, style);
}

/** Replaces a member of an object or a list, which must exist. */
export function replaceValue(
  text: string,
  path: readonly (string | number)[],
  value: unknown,
  style = styleOf(text),
): string {
  const present = jsonc.findNodeAtLocation(treeOf(text), [...path]);
  if (!present) throw new Error(`The text has no ${path.join('/')}.`);
  return splice(text, present.offset, present.length, written(value, path.length, style));
}

/** Adds an item at the end of a list, which must exist. */
export function addItem(text: string, path: readonly string[], value: unknown, style = styleOf(text)): string {
  const list = jsonc.findNodeAtLocation(treeOf(text), [...path]);
  if (list?.type !== 'array') throw new Error(`The text has no list ${path.join('/')}.`);
  const depth = path.length + 1;
  return append(text, list, written(value, depth, style), depth, style);
}

/** Removes a member of an object or a list, if it exists. Comments stay, also one beside the previous member. */
export function withoutMember(text: string, path: readonly [string, ...(string | number)[]]): string {
  const root = jsonc.parseTree(text, [], { allowTrailingComma: true });
  const value = root && jsonc.findNodeAtLocation(root, [...path]);
  const property = value?.parent?.type === 'array' ? value : value?.parent;
  const members = property?.parent?.children;
  if (property === undefined || members === undefined) return text;
  const end = property.offset + property.length;
  const comma = commaAfter(text, end);
  // A member on a line of its own is removed with its indentation and the line end before it.
  const [space = ''] = /(\r?\n[\t ]*)?$/.exec(text.slice(0, property.offset)) ?? [];
  const start = property.offset - space.length;
  const without = splice(text, start, (comma === undefined ? end : comma + 1) - start, '');
  const before = members[members.indexOf(property) - 1];
  if (comma !== undefined || before === undefined) return without;
  const lastComma = commaAfter(without, before.offset + before.length);
  return lastComma === undefined ? without : splice(without, lastComma, 1, '');
}

/** The indentation and line ends that a file has. */
export interface JsonStyle {
  indent: string;
  eol: string;
}

export function styleOf(text: string): JsonStyle {
  const [, indent = '  '] = /^([\t ]+)\S/m.exec(text) ?? [];
  return { indent, eol: text.includes('\r\n') ? '\r\n' : '\n' };
}

function treeOf(text: string): jsonc.Node {
  const root = jsonc.parseTree(text, [], { allowTrailingComma: true });
  if (!root) throw new Error('The text is not JSON.');
  return root;
}

function nested(names: readonly string[], value: unknown): unknown {
  return names.reduceRight((inner: unknown, name) => ({ [name]: inner }), value);
}

function memberOf([key = '', ...deeper]: readonly string[], value: unknown, depth: number, style: JsonStyle): string {
  return `${JSON.stringify(key)}: ${written(nested(deeper, value), depth, style)}`;
}

/** Adds a member of an object, or an item of a list, as the last one. */
function append(text: string, container: jsonc.Node, member: string, depth: number, style: JsonStyle): string {
  const line = `${style.indent.repeat(depth)}${member}${style.eol}`;
  const end = container.offset + container.length - 1;
  // Before the line of the closing bracket, so that a comment beside the last member stays beside it.
  const [ownLine = ''] = /[\t ]*$/.exec(text.slice(0, end)) ?? [];
  const isAlone = text.slice(0, end - ownLine.length).endsWith('\n');
  const withMember = isAlone
    ? splice(text, end - ownLine.length, 0, line)
    : splice(text, end, 0, `${style.eol}${line}${style.indent.repeat(depth - 1)}`);
  const last = container.children?.at(-1);
  if (!last || commaAfter(text, last.offset + last.length) !== undefined) return withMember;
  return splice(withMember, last.offset + last.length, 0, ',');
}

/** The offset of the next token if it is a comma; white space and comments are skipped. */
function commaAfter(text: string, offset: number): number | undefined {
  const scanner = jsonc.createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  return text.charAt(scanner.getTokenOffset()) === ',' ? scanner.getTokenOffset() : undefined;
}

function written(value: unknown, depth: number, { indent, eol }: JsonStyle): string {
  return JSON.stringify(value, null, indent).replaceAll('\n', eol + indent.repeat(depth));
}

function splice(text: string, offset: number, length: number, inserted: string): string {
  return text.slice(0, offset) + inserted + text.slice(offset + length);
}
