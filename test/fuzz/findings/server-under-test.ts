// A server process for single handmade requests.
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { LineTalk } from '../attack/line-talk.ts';
import { Target } from '../attack/target.ts';
import { within } from '../attack/within.ts';
import { Dice } from '../generate/dice.ts';
import { headersFor, session } from '../generate/http-headers.ts';
import { type Json, isObject, writeJson } from '../generate/json.ts';
import { type Era, validMessage } from '../generate/valid-messages.ts';

const boundMs = 5000;

/** A valid message of a method, with these params over its own. */
export function message(era: Era, method: string, params: Record<string, Json>, id = method): Json {
  const valid = validMessage(era, method, id, new Dice(0, 0));
  return { ...valid, params: { ...(isObject(valid['params']) && valid['params']), ...params } };
}

/** The bytes of a POST request. */
export function wholePost(asked: Json, headers: readonly (readonly [string, string])[]): string {
  const body = writeJson(asked);
  const head = [...headers, ['Content-Length', String(body.length)]].map((line) => line.join(': ')).join('\r\n');
  return `POST /mcp HTTP/1.1\r\n${head}\r\n\r\n${body}`;
}

/** The text of a response; of an endless stream, up to the text `until`. */
export async function textOf(response: Response, until?: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  const read = async () => {
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (until !== undefined && text.includes(until)) return;
    }
  };
  await within(boundMs, 'end of an answer', read());
  return text;
}

/** One server for all tests of a file; a test fails if the server has logged a failure. */
export function serverUnderTest(): ServerUnderTest {
  const server = new ServerUnderTest();
  beforeAll(() => server.openSession());
  afterEach(async () => {
    expect(await server.newComplaints()).toEqual([]);
  });
  afterAll(() => server.target.kill());
  return server;
}

class ServerUnderTest {
  readonly target = new Target();
  readonly url: Promise<string>;
  readonly #linePort: Promise<number>;
  #sessionId = '';
  #complaintsSeen = 0;

  constructor() {
    const addresses = this.target.addresses();
    this.url = addresses.then(({ url }) => url);
    this.#linePort = addresses.then(({ linePort }) => linePort);
  }

  async openSession(): Promise<void> {
    const response = await this.post('legacy', message('legacy', 'initialize', {}));
    await response.text();
    this.#sessionId = response.headers.get('mcp-session-id') ?? '';
  }

  headers(era: Era, asked: Json): [string, string][] {
    return headersFor(era, asked).map(([name, value]) => [name, value === session.live ? this.#sessionId : value]);
  }

  /** `before` is text in front of the body. */
  async post(era: Era, asked: Json, before = ''): Promise<Response> {
    const init = { method: 'POST', headers: this.headers(era, asked), body: before + writeJson(asked) };
    return within(boundMs, 'answer', fetch(await this.url, init));
  }

  async connect() {
    return connect(Number(new URL(await this.url).port), '127.0.0.1');
  }

  /** The response bytes until the server closes the connection. */
  async raw(text: string): Promise<string> {
    const socket = await this.connect();
    let answer = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      answer += chunk;
    });
    socket.write(text);
    await within(boundMs, 'close of the connection', once(socket, 'close'));
    return answer;
  }

  /** The response to one message over stdio. */
  async byLine(era: Era, asked: Json): Promise<unknown> {
    const socket = connect(await this.#linePort, '127.0.0.1');
    const talk = new LineTalk(socket, socket);
    if (era === 'legacy') talk.send(validMessage(era, 'initialize', 'open', new Dice(0, 0)));
    talk.write(Buffer.from(writeJson(asked)));
    const answer = () => talk.received.find(({ id }) => id !== 'open');
    await talk.until('answer', () => answer() !== undefined);
    socket.end();
    return answer();
  }

  /** The failures that the server has logged since the last call. */
  async newComplaints(): Promise<string[]> {
    const { complaints } = await this.target.report();
    const fresh = complaints.slice(this.#complaintsSeen);
    this.#complaintsSeen = complaints.length;
    return fresh;
  }
}
