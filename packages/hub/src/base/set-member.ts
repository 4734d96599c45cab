// Sets or removes one member in the text of a JSON file, with or without comments, and changes no other character.
import * as jsonc from 'jsonc-parser';

/** Objects on the `path` are added where they are missing. The text must be a JSON object. */
export function setMember(text: string, path: readonly [string, ...string[]], value: unknown): string {
  const root = jsonc.parseTree(text, [], { allowTrailingComma: true });
  if (!root) throw new Error('The text is not JSON.');
  const present = jsonc.findNodeAtLocation(root, [...path]);
  const style = styleOf(text);
  if (present) {
    return splice(text, present.offset, present.length, written(value, path.length, style));
  }
  const [name, ...deeper] = path;
  const inner = jsonc.findNodeAtLocation(root, [name]);
  if (inner && deeper.length > 0) return append(text, inner, deeper, value, 2, style);
  return append(text, root, path, value, 1, style);
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
  // With its indentation and the line end before it, if it stands on a line of its own.
  const [space = ''] = /(\r?\n[\t ]*)?$/.exec(text.slice(0, property.offset)) ?? [];
  const start = property.offset - space.length;
  const without = splice(text, start, (comma === undefined ? end : comma + 1) - start, '');
  const before = members[members.indexOf(property) - 1];
  if (comma !== undefined || before === undefined) return without;
  const lastComma = commaAfter(without, before.offset + before.length);
  return lastComma === undefined ? without : splice(without, lastComma, 1, '');
}

interface Style {
  indent: string;
  eol: string;
}

/** The indentation and line ends that the file has. */
function styleOf(text: string): Style {
  const [, indent = '  '] = /^([\t ]+)\S/m.exec(text) ?? [];
  return { indent, eol: text.includes('\r\n') ? '\r\n' : '\n' };
}

function append(
  text: string,
  object: jsonc.Node,
  [key = '', ...deeper]: readonly string[],
  value: unknown,
  depth: number,
  style: Style,
): string {
  const nested = deeper.reduceRight((inner: unknown, name) => ({ [name]: inner }), value);
  const line = `${style.indent.repeat(depth)}${JSON.stringify(key)}: ${written(nested, depth, style)}${style.eol}`;
  const brace = object.offset + object.length - 1;
  // Before the line of the closing brace, so that a comment beside the last member stays beside it.
  const [ownLine = ''] = /[\t ]*$/.exec(text.slice(0, brace)) ?? [];
  const isAlone = text.slice(0, brace - ownLine.length).endsWith('\n');
  const withMember = isAlone
    ? splice(text, brace - ownLine.length, 0, line)
    : splice(text, brace, 0, `${style.eol}${line}${style.indent.repeat(depth - 1)}`);
  const last = object.children?.at(-1);
  if (!last || commaAfter(text, last.offset + last.length) !== undefined) return withMember;
  return splice(withMember, last.offset + last.length, 0, ',');
}

/** Where the comma is that follows, after white space and comments. */
function commaAfter(text: string, offset: number): number | undefined {
  const scanner = jsonc.createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  return text.charAt(scanner.getTokenOffset()) === ',' ? scanner.getTokenOffset() : undefined;
}

function written(value: unknown, depth: number, { indent, eol }: Style): string {
  return JSON.stringify(value, null, indent).replaceAll('\n', eol + indent.repeat(depth));
}

function splice(text: string, offset: number, length: number, inserted: string): string {
  return text.slice(0, offset) + inserted + text.slice(offset + length);
}
