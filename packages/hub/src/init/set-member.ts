// Sets one member in the text of a JSON file, with or without comments, and changes no other character.
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
  if (!last || isCommaNext(text, last.offset + last.length)) return withMember;
  return splice(withMember, last.offset + last.length, 0, ',');
}

function isCommaNext(text: string, offset: number): boolean {
  const scanner = jsonc.createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  return text.charAt(scanner.getTokenOffset()) === ',';
}

function written(value: unknown, depth: number, { indent, eol }: Style): string {
  return JSON.stringify(value, null, indent).replaceAll('\n', eol + indent.repeat(depth));
}

function splice(text: string, offset: number, length: number, inserted: string): string {
  return text.slice(0, offset) + inserted + text.slice(offset + length);
}
