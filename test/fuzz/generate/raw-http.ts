// Requests with damaged HTTP, which no HTTP client would send.
import type { Dice } from './dice.ts';
import type { Header } from './http-headers.ts';

export interface RawHttp {
  text: Buffer;
  /** The announced length is greater than the sent one: the client disconnects without waiting for a response. */
  isIncomplete: boolean;
}

interface Parts {
  line: string;
  headers: Header[];
  body: Buffer;
}

export function damagedHttp(headers: readonly Header[], body: Buffer, dice: Dice): RawHttp {
  const parts: Parts = { line: 'POST /mcp HTTP/1.1', headers: [...headers, ['Connection', 'close']], body };
  const whole = (changed: Partial<Parts>, ...extra: Header[]): RawHttp => ({
    text: writeHttp({ ...parts, ...changed, headers: [...(changed.headers ?? parts.headers), ...extra] }),
    isIncomplete: false,
  });
  const length: Header = ['Content-Length', String(body.length)];
  return dice.among<RawHttp>([
    [2, () => ({ ...whole({}, ['Content-Length', String(body.length + 1 + dice.below(1000))]), isIncomplete: true })],
    [2, () => whole({}, ['Content-Length', String(dice.below(body.length + 1))])],
    [1, () => whole({}, ['Content-Length', dice.pick(['-1', 'abc', '1e3', '0x10', '+5', '9'.repeat(30), ''])])],
    [1, () => whole({}, length, ['Content-Length', '3'])],
    [1, () => whole({}, length, ['Transfer-Encoding', 'chunked'])],
    [
      1,
      () =>
        whole({}, ['Transfer-Encoding', dice.pick(['gzip, chunked', 'identity', 'chunked, chunked', 'xchunked', ''])]),
    ],
    [
      2,
      () => whole({ body: Buffer.from(dice.pick(['zz\r\n', '-1\r\n', '5\r\nab', `${'f'.repeat(20)}\r\n`])) }, chunked),
    ],
    [1, () => ({ ...whole({ body: Buffer.concat([chunk(body)]) }, chunked), isIncomplete: true })],
    [2, () => whole({ body: Buffer.concat([chunk(body), Buffer.from('0\r\nX: y\r\n\r\n')]) }, chunked)],
    [4, () => whole({ line: `${dice.pick(['GET', 'POST'])} ${dice.pick(targets)} HTTP/1.1` }, length)],
    [2, () => whole({ line: dice.pick(lines) }, length)],
    [3, () => whole({}, length, ['X-Odd', dice.pick(values)])],
    [1, () => whole({}, length, [dice.pick(['X Y', 'X\0', '', 'X\r', 'é', '(']), '1'])],
    [1, () => whole({}, length, ...Array.from({ length: 3000 }, (): Header => ['X', '1']))],
    [1, () => ({ ...cutAt(whole({}, length).text, dice), isIncomplete: true })],
    [3, () => ({ text: Buffer.concat([pipelined(parts, length), whole({}, length).text]), isIncomplete: false })],
    [
      1,
      () => ({
        text: Buffer.from(whole({}, length).text.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
        isIncomplete: true,
      }),
    ],
  ]);
}

const chunked: Header = ['Transfer-Encoding', 'chunked'];
const targets = [
  '//',
  '//mcp',
  'http://[',
  'http://evil.example/mcp',
  '/mcp?%',
  '/mcp/',
  '/MCP',
  '/\\mcp',
  '*',
  '/%zz',
  '/mcp\0',
  '/é',
  '?',
  '/' + 'a'.repeat(20_000),
];
const lines = [
  'post /mcp HTTP/1.1',
  'POST /mcp HTTP/1.0',
  'POST /mcp HTTP/3.0',
  'POST /mcp',
  'POST',
  '',
  '\0\0\0',
  'CONNECT 127.0.0.1:1 HTTP/1.1',
  'TRACE /mcp HTTP/1.1',
  'PRI * HTTP/2.0',
  '\x16\x03\x01\x02\x00',
];
const values = ['a\0b', 'a\rb', 'a\n b', 'a\r\n folded', '\x7f', 'x'.repeat(20_000), 'é', '\x01'];

/** A first request on the same connection, which stays open for the second. */
function pipelined(parts: Parts, length: Header): Buffer {
  return writeHttp({ ...parts, headers: [...parts.headers.filter(([name]) => name !== 'Connection'), length] });
}

function cutAt(text: Buffer, dice: Dice): { text: Buffer } {
  return { text: text.subarray(0, dice.below(text.length)) };
}

function chunk(body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')]);
}

export function writeHttp({ line, headers, body }: Parts): Buffer {
  const head = [line, ...headers.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), body]);
}
