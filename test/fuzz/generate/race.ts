// A race: several requests at once on one 2025-era session, some of them in conflict.
import { Dice } from './dice.ts';
import type { HttpCase } from './http-case.ts';
import { type Header, headersFor, session } from './http-headers.ts';
import { type Json, writeJson } from './json.ts';
import { methods, validMessage } from './valid-messages.ts';

export function race(seed: number, number: number): HttpCase[] {
  const dice = new Dice(seed, number);
  // Few different ids, so that requests in flight share them and cancellations match them.
  const id = () => dice.pick(['one', 'two', 'three']);
  const post = (message: Json, title: string): HttpCase => ({
    number,
    title: `race: ${title}`,
    verb: 'POST',
    path: '/mcp',
    headers: headersFor('legacy', message).map(([name, value]): Header => [
      name,
      value === session.live ? session.fresh : value,
    ]),
    body: Buffer.from(writeJson(message)),
    manner: dice.chance(0.1) ? 'leaves after sending' : 'waits',
    raw: undefined,
  });
  const without = (verb: 'GET' | 'DELETE'): HttpCase => ({ ...post(null, verb), verb, body: Buffer.alloc(0) });
  const slow = () => validMessage('legacy', 'tools/call', id(), dice);
  return Array.from({ length: 2 + dice.below(5) }, () =>
    dice.among<HttpCase>([
      [5, () => post({ ...slow(), params: { name: 'slow', arguments: { ms: dice.below(20) } } }, 'slow call')],
      [
        3,
        () => post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id() } }, 'cancellation'),
      ],
      [
        3,
        () =>
          post(
            validMessage('legacy', dice.pick(methods.legacy.filter((each) => each !== 'initialize')), id(), dice),
            'any',
          ),
      ],
      [1, () => post([slow(), slow(), validMessage('legacy', 'ping', id(), dice)], 'batch')],
      [3, () => without('GET')],
      [2, () => without('DELETE')],
    ]),
  );
}
