// The headers of a request: the right ones for its message, and wrong ones.
import type { Dice } from './dice.ts';
import { type Json, isObject } from './json.ts';
import { oddString } from './odd-values.ts';
import { type Era, methods } from './valid-messages.ts';

export type Header = readonly [name: string, value: string];

/** Placeholders for session ids, which are unknown before the case is sent. */
export const session = { live: '{live}', fresh: '{fresh}', ended: '{ended}' } as const;

export function headersFor(era: Era, message: Json): Header[] {
  const common: Header[] = [
    ['Host', '127.0.0.1'],
    ['Content-Type', 'application/json'],
    ['Accept', 'application/json, text/event-stream'],
    ['MCP-Protocol-Version', era === 'modern' ? '2026-07-28' : '2025-11-25'],
  ];
  const method = isObject(message) && typeof message['method'] === 'string' ? message['method'] : 'ping';
  if (era === 'legacy') return method === 'initialize' ? common : [...common, ['Mcp-Session-Id', session.live]];
  const params = isObject(message) && isObject(message['params']) ? message['params'] : {};
  const name = method === 'resources/read' ? params['uri'] : params['name'];
  return [...common, ['Mcp-Method', fieldValue(method)], ...(typeof name === 'string' ? [nameHeader(name)] : [])];
}

function nameHeader(name: string): Header {
  return ['Mcp-Name', /^[\x21-\x7e]+$/.test(name) ? name : sentinel(name)];
}

function sentinel(text: string): string {
  return `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/** The characters that HTTP allows in a value; others are sent only in raw cases. */
function fieldValue(text: string): string {
  return text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?').slice(0, 12_000);
}

const versions = [
  '2024-11-05',
  '2025-03-26',
  '2025-06-18',
  '2025-11-25',
  '2026-07-28',
  '1999-01-01',
  '9999-99-99',
  'x',
  '',
];

/** Typical wrong values of each header. */
const wrongValues: Record<string, (dice: Dice) => string> = {
  Host: (dice) =>
    dice.pick(['evil.example', 'localhost', 'localhost:1', '[::1]:99999', '127.0.0.1.evil', 'a b', '@', '']),
  Origin: (dice) => dice.pick(['null', 'http://evil.example', 'http://localhost:1', '%%', 'http://', 'file://', '']),
  'Content-Type': (dice) =>
    dice.pick([
      'text/plain',
      'application/json; charset=utf-16',
      'application/json;',
      'application/jsonp',
      'APPLICATION/JSON',
      'multipart/form-data',
      '/',
      '',
    ]),
  Accept: (dice) =>
    dice.pick([
      '*/*',
      'text/html',
      'application/json',
      'text/event-stream',
      'application/json;q=0, text/event-stream;q=0',
      '',
    ]),
  'MCP-Protocol-Version': (dice) => dice.pick(versions),
  'Mcp-Session-Id': (dice) =>
    dice.pick([session.ended, session.fresh, 'nobody', '__proto__', 'constructor', 'a, b', '']),
  'Mcp-Method': (dice) => dice.pick([...methods.modern, ...methods.legacy, 'RESOURCES/LIST', ' ', '']),
  'Mcp-Name': (dice) =>
    dice.pick([
      sentinel(oddString(dice)),
      '=?base64?%%%?=',
      '=?base64??=',
      '=?base64?/w==?=',
      '=?base64?YQ?=',
      '=?BASE64?YQ==?=',
      'notes://today',
      'echo',
      '',
    ]),
  Expect: (dice) => dice.pick(['100-continue', '200-ok', '']),
  'Content-Encoding': (dice) => dice.pick(['gzip', 'identity', 'br, gzip']),
  'Last-Event-ID': (dice) => dice.pick(['1', '_GET_stream', oddString(dice)]),
  Upgrade: () => 'websocket',
  Authorization: (dice) => `Bearer ${oddString(dice)}`,
  'Mcp-Param-Name': (dice) => oddString(dice),
  'X-Forwarded-Host': () => 'evil.example',
};

export function mutateHeaders(headers: readonly Header[], dice: Dice): Header[] {
  const name = dice.pick(Object.keys(wrongValues));
  const wrong: Header = [name, fieldValue(dice.chance(0.2) ? oddString(dice) : (wrongValues[name]?.(dice) ?? ''))];
  const others = headers.filter((header) => header[0] !== name);
  return dice.among<Header[]>([
    [6, () => [...others, wrong]],
    [2, () => others],
    [2, () => [...headers, wrong]],
    [1, () => [wrong, ...headers]],
    [1, () => headers.map(([each, value]) => [each.toUpperCase(), value])],
  ]);
}
