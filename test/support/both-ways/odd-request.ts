// HTTP requests as bytes: valid, almost valid and invalid ones.
import fc from 'fast-check';
import { modern, oddMessage, rarely } from './odd-message.ts';

export interface OddRequest {
  readonly bytes: Buffer;
  /** For failure messages. */
  readonly text: string;
}

type Header = [name: string, value: string];

const mcpHeaders = ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name', 'Content-Type', 'Accept', 'Host'] as const;
const otherHeaders = [
  'Authorization',
  'Origin',
  'Mcp-Session-Id',
  'Content-Encoding',
  'Expect',
  'Mcp-Param-X',
] as const;

const headerValues = fc.constantFrom(
  '',
  modern,
  ` ${modern}\t`,
  '2025-11-25',
  `${modern}, ${modern}`,
  'resources/read',
  'resources/list',
  'subscriptions/listen',
  'tools/call',
  'wait',
  'RESOURCES/READ',
  'note://a',
  'note://b',
  '=?base64?bm90ZTovL2E=?=',
  '=?base64?!?=',
  'application/json',
  'application/json; charset=utf-8',
  'Application/JSON',
  'application/json;',
  'text/plain',
  'text/plain; a=application/json',
  'application/json, text/plain',
  'application/jsonp',
  'text/event-stream',
  '*/*',
  'localhost',
  '127.0.0.1:1',
  'evil.example',
  'Bearer bad',
  'Bearer owner',
  'https://app.example',
  'https://evil.example',
  'gzip',
  '100-continue',
  '\u00e9',
  'x',
);

interface HeaderChange {
  readonly name: string;
  readonly value: string;
  readonly action: 'set' | 'add' | 'before' | 'drop' | 'case';
}

const headerChange: fc.Arbitrary<HeaderChange> = fc.record({
  name: fc.constantFrom<string>(...mcpHeaders, ...otherHeaders),
  value: headerValues,
  action: fc.constantFrom('set', 'add', 'before', 'drop', 'case'),
});

function withHeader(headers: readonly Header[], { name, value, action }: HeaderChange): Header[] {
  const isOther = ([each]: Header) => each.toLowerCase() !== name.toLowerCase();
  if (action === 'add') return [...headers, [name, value]];
  if (action === 'before') return [[name, value], ...headers];
  if (action === 'case') return headers.map(([each, own]) => [each.toUpperCase(), own]);
  return action === 'drop' ? headers.filter(isOther) : [...headers.filter(isOther), [name, value]];
}

const line = fc.oneof(
  { weight: 20, arbitrary: fc.constant('POST /mcp HTTP/1.1') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'POST /mcp HTTP/1.0',
      'HEAD /mcp HTTP/1.1',
      'PUT /mcp HTTP/1.1',
      'GET /mcp HTTP/1.1',
      'DELETE /mcp HTTP/1.1',
      'OPTIONS /mcp HTTP/1.1',
      'POST http://localhost/mcp HTTP/1.1',
      'POST /mcp?x=1 HTTP/1.1',
    ),
  },
);

export const oddRequest: fc.Arbitrary<OddRequest> = fc
  .record({
    message: oddMessage,
    headerChanges: rarely(headerChange, 2),
    line,
    isChunked: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)),
    /** Whether the headers match the changed message. */
    isConsistent: fc.boolean(),
  })
  .map(({ message: { meant, text, body }, headerChanges, line, isChunked, isConsistent }) => {
    const headers = headerChanges.reduce(withHeader, headersOf(isConsistent ? parsed(text) : meant));
    const bytes = httpBytes(line, headers, body, isChunked);
    return { bytes, text: bytes.toString('latin1').slice(0, 3000) };
  });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function headersOf(message: unknown): Header[] {
  const method = memberOf(message, 'method');
  const key = method === 'resources/read' ? 'uri' : method === 'tools/call' ? 'name' : undefined;
  const name = key && memberOf(memberOf(message, 'params'), key);
  return [
    ['Host', 'localhost'],
    ['Accept', 'application/json, text/event-stream'],
    ['Content-Type', 'application/json'],
    ['MCP-Protocol-Version', modern],
    ...(typeof method === 'string' ? [['Mcp-Method', method] satisfies Header] : []),
    ...(typeof name === 'string' ? [['Mcp-Name', encodedName(name)] satisfies Header] : []),
  ];
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** Encodes a name that a header cannot carry, as clients do. */
function encodedName(name: string): string {
  return /^[\x21-\x7e\u00e9]*$/.test(name) ? name : `=?base64?${Buffer.from(name).toString('base64')}?=`;
}

function httpBytes(line: string, headers: readonly Header[], body: Buffer, isChunked: boolean): Buffer {
  const framing: Header = isChunked ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(body.length)];
  const lines = [...headers, framing, ['Connection', 'close']].map(([name, value]) => `${name}: ${value}`);
  const head = Buffer.from([line, ...lines, '', ''].join('\r\n'), 'latin1');
  return Buffer.concat([head, isChunked ? chunked(body) : body]);
}

function chunked(body: Buffer): Buffer {
  const chunk = (part: Buffer) => [Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')];
  const half = body.length >> 1;
  const parts = [body.subarray(0, half), body.subarray(half)].filter(({ length }) => length > 0);
  return Buffer.concat([...parts.flatMap(chunk), Buffer.from('0\r\n\r\n')]);
}
