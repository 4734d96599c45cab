// Edits of the servers in the text of a configuration file: in our own form, a list, or in that of other hosts, a map.
// Comments and everything else stay as they are.
import { LiveError } from '@tidings/live';
import { serverIdOf } from '@tidings/track/internal';
import { withoutMember } from '../base/set-member.ts';
import * as jsonc from 'jsonc-parser';

type Path = readonly [string, string | number];

interface Servers {
  member: string;
  /** The path of each server in the file. */
  paths: ReadonlyMap<string, Path>;
  isList: boolean;
}

export function withServer(text: string, { id, ...entry }: { id: string } & Record<string, unknown>): string {
  const { member, paths, isList } = serversIn(text);
  if (paths.has(id)) throw new LiveError('INVALID_PARAMS', `There is a server "${id}" already: choose another id.`);
  return isList ? edited(text, [member, -1], { id, ...entry }, true) : edited(text, [member, id], entry);
}

export function withoutServer(text: string, id: string): string {
  return withoutMember(text, placeOf(text, id));
}

export function withEnabled(text: string, id: string, isEnabled: boolean): string {
  return edited(text, [...placeOf(text, id), 'enabled'], isEnabled);
}

function placeOf(text: string, id: string): Path {
  const path = serversIn(text).paths.get(id);
  if (path) return path;
  throw new LiveError('RESOURCE_NOT_FOUND', `The configuration file has no server "${id}".`);
}

function serversIn(text: string): Servers {
  const root: unknown = jsonc.parse(text, [], { allowTrailingComma: true });
  const { servers, mcpServers }: { servers?: unknown; mcpServers?: unknown } = Object(root);
  if (Array.isArray(servers)) {
    const ids = servers.map((entry: unknown, index): [string, Path] => [String(Object(entry).id), ['servers', index]]);
    return { member: 'servers', isList: true, paths: new Map([...ids, ...idsIn('mcpServers', mcpServers)]) };
  }
  const [member, map] =
    mcpServers === undefined && servers !== undefined ? ['servers', servers] : ['mcpServers', mcpServers];
  return { member, isList: false, paths: new Map(idsIn(member, map)) };
}

function idsIn(member: string, map: unknown): [string, Path][] {
  return Object.keys(Object(map)).map((name) => [serverIdOf(name), [member, name]]);
}

function edited(text: string, path: (string | number)[] | Path, value: unknown, isArrayInsertion = false): string {
  const [, indent = '  '] = /^([\t ]+)\S/m.exec(text) ?? [];
  const formattingOptions = {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  return jsonc.applyEdits(text, jsonc.modify(text, [...path], value, { formattingOptions, isArrayInsertion }));
}
