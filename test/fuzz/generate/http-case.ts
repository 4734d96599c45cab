// One HTTP case: an almost valid request of either era, with one or two errors.
import { Dice } from './dice.ts';
import { type Header, headersFor, mutateHeaders, session } from './http-headers.ts';
import { type Json, writeJson } from './json.ts';
import { mutateJson } from './mutate-json.ts';
import { mutateText } from './mutate-text.ts';
import { type RawHttp, damagedHttp, writeHttp } from './raw-http.ts';
import { type Era, methods, pickMethod, validMessage } from './valid-messages.ts';

export interface HttpCase {
  number: number;
  title: string;
  verb: string;
  path: string;
  headers: readonly Header[];
  body: Buffer;
  /** The client's behaviour. */
  manner: 'waits' | 'drips its body' | 'leaves in the middle' | 'leaves after sending';
  /** The bytes to send instead of the fields above, except `manner`. */
  raw: RawHttp | undefined;
}

export function httpCase(seed: number, number: number): HttpCase {
  const dice = new Dice(seed, number);
  const era: Era = dice.chance(0.5) ? 'modern' : 'legacy';
  const method = pickMethod(era, dice);
  const message = messageOf(era, method, `case-${number}`, dice);
  const headers = headersFor(era, message);
  const whole: HttpCase = {
    number,
    title: `${era} ${method}`,
    verb: 'POST',
    path: '/mcp',
    headers,
    body: Buffer.from(writeJson(message)),
    manner: 'waits',
    raw: undefined,
  };
  const wrong = (): Json => mutateJson(message, methods[era], dice);
  return dice.among<HttpCase>([
    [44, () => withMessage(whole, era, wrong(), 'one wrong place', dice)],
    [14, () => withMessage(whole, era, mutateJson(wrong(), methods[era], dice), 'two wrong places', dice)],
    [10, () => ({ ...whole, title: `${whole.title}: damaged text`, body: mutateText(writeJson(message), dice) })],
    [12, () => ({ ...whole, title: `${whole.title}: wrong header`, headers: mutateHeaders(headers, dice) })],
    [
      3,
      () => ({
        ...withMessage(whole, era, wrong(), 'wrong place and header', dice),
        headers: mutateHeaders(headers, dice),
      }),
    ],
    [6, () => otherVerb(whole, dice)],
    [6, () => ({ ...whole, title: `${whole.title}: damaged HTTP`, raw: damagedHttp(headers, whole.body, dice) })],
    [5, () => impatient(dice.chance(0.5) ? whole : withMessage(whole, era, wrong(), 'one wrong place', dice), dice)],
  ]);
}

/** One message, or sometimes several in a batch. */
function messageOf(era: Era, method: string, id: string, dice: Dice): Json {
  const one = validMessage(era, method, id, dice);
  if (!dice.chance(era === 'legacy' ? 0.1 : 0.03)) return one;
  const count = dice.pick([0, 1, 2, 3, 3, 101]);
  const isSameId = dice.chance(0.3);
  return Array.from({ length: count }, (_, at) =>
    validMessage(era, pickMethod(era, dice), isSameId ? id : `${id}-${at}`, dice),
  );
}

/** In most cases the headers match the wrong body, because otherwise the server would not read on. */
function withMessage(whole: HttpCase, era: Era, message: Json, title: string, dice: Dice): HttpCase {
  const headers = dice.chance(0.85) ? headersFor(era, message) : whole.headers;
  const manner = dice.chance(0.05) ? 'drips its body' : 'waits';
  return { ...whole, title: `${whole.title}: ${title}`, headers, body: Buffer.from(writeJson(message)), manner };
}

function otherVerb(whole: HttpCase, dice: Dice): HttpCase {
  const verb = dice.pick([
    'GET',
    'GET',
    'GET',
    'DELETE',
    'DELETE',
    'PUT',
    'PATCH',
    'HEAD',
    'OPTIONS',
    'TRACE',
    'PROPFIND',
  ]);
  const path = dice.pick([
    '/mcp',
    '/mcp',
    '/mcp',
    '/mcp?session=1',
    '/mcp/',
    '/',
    '//mcp',
    '/MCP',
    '/mcp/..%2f',
    '/.well-known/x',
  ]);
  const id = verb === 'DELETE' ? session.fresh : session.live;
  const own: Header[] = [
    ['Host', '127.0.0.1'],
    ['Accept', 'text/event-stream'],
    ['MCP-Protocol-Version', '2025-11-25'],
    ['Mcp-Session-Id', id],
  ];
  const headers = dice.chance(0.5) ? own : mutateHeaders(own, dice);
  const body = dice.chance(0.2) ? whole.body : Buffer.alloc(0);
  return { ...whole, title: `${verb} ${path}`, verb, path, headers, body };
}

function impatient(whole: HttpCase, dice: Dice): HttpCase {
  const manner = dice.pick(['leaves in the middle', 'leaves after sending'] as const);
  return { ...whole, title: `${whole.title}: client ${manner}`, manner };
}

/** The bytes of a case, for cases that are sent without an HTTP client. */
export function bytesOf({ verb, path, headers, body, raw }: HttpCase): Buffer {
  const length: Header = ['Content-Length', String(body.length)];
  return raw?.text ?? writeHttp({ line: `${verb} ${path} HTTP/1.1`, headers: [...headers, length], body });
}
