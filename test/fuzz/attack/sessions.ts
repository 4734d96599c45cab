// The 2025-era sessions of one batch: opened for the cases that name one, ended with the batch.
import { type Header, headersFor, session } from '../generate/http-headers.ts';
import type { HttpCase } from '../generate/http-case.ts';
import { Dice } from '../generate/dice.ts';
import { writeJson } from '../generate/json.ts';
import { type Message, validMessage } from '../generate/valid-messages.ts';
import type { Answer, HttpSender } from './send-http.ts';

const liveCount = 8;
const noDice = new Dice(0, 0);

export class Sessions {
  readonly #sender: HttpSender;
  readonly #live: string[];
  readonly #ended: string;
  /** Every session that was opened and has not ended. */
  readonly #open = new Set<string>();

  private constructor(sender: HttpSender, live: string[], ended: string) {
    this.#sender = sender;
    this.#live = live;
    this.#ended = ended;
    for (const id of live) this.#open.add(id);
  }

  static async open(sender: HttpSender): Promise<Sessions> {
    const live = await Promise.all(Array.from({ length: liveCount }, () => openSession(sender)));
    const ended = await openSession(sender);
    await endSession(sender, ended);
    return new Sessions(sender, live, ended);
  }

  /** The case with the ids of real sessions. */
  async fill(each: HttpCase, fresh?: string): Promise<HttpCase> {
    const ids = new Map<string, string>([
      [session.live, this.#live[each.number % liveCount] ?? ''],
      [session.ended, this.#ended],
    ]);
    if (each.headers.some(([, value]) => value === session.fresh)) {
      ids.set(session.fresh, fresh ?? (await this.openOne()));
    }
    const headers = each.headers.map(([name, value]): Header => [name, ids.get(value) ?? value]);
    if (each.raw === undefined) return { ...each, headers };
    const text = Buffer.from(
      each.raw.text.toString('latin1').replaceAll(session.live, ids.get(session.live) ?? ''),
      'latin1',
    );
    return { ...each, raw: { ...each.raw, text } };
  }

  async openOne(): Promise<string> {
    const id = await openSession(this.#sender);
    this.#open.add(id);
    return id;
  }

  note({ statuses, sessionIds }: Answer): void {
    if (statuses.includes(200)) for (const id of sessionIds) this.#open.add(id);
  }

  async end(): Promise<void> {
    await Promise.all([...this.#open].map((id) => endSession(this.#sender, id)));
  }
}

async function openSession(sender: HttpSender): Promise<string> {
  const initialize = validMessage('legacy', 'initialize', 'open', noDice);
  const { sessionIds, statuses, body } = await sender.send(asCase(initialize));
  const [id] = sessionIds;
  if (id === undefined) throw new Error(`A valid initialize was answered with ${statuses.join()}: ${body.toString()}`);
  const initialized = asCase(validMessage('legacy', 'notifications/initialized', '', noDice), id);
  const { statuses: accepted } = await sender.send(initialized);
  if (accepted[0] !== 202) throw new Error(`A valid notification was answered with ${accepted.join()}.`);
  return id;
}

async function endSession(sender: HttpSender, id: string): Promise<void> {
  const headers: Header[] = [
    ['Host', '127.0.0.1'],
    ['Mcp-Session-Id', id],
  ];
  const { statuses } = await sender.send({
    ...asCase({ jsonrpc: '2.0', method: '' }),
    verb: 'DELETE',
    headers,
    body: Buffer.alloc(0),
  });
  // A case may have ended it already.
  if (![200, 404].includes(statuses[0] ?? 0)) throw new Error(`A valid DELETE was answered with ${statuses.join()}.`);
}

function asCase(message: Message, id?: string): HttpCase {
  const headers = headersFor('legacy', message).map(([name, value]): Header => [
    name,
    value === session.live ? (id ?? '') : value,
  ]);
  const body = Buffer.from(writeJson(message));
  return {
    number: -1,
    title: message.method,
    verb: 'POST',
    path: '/mcp',
    headers,
    body,
    manner: 'waits',
    raw: undefined,
  };
}
