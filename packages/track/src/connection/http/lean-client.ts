// Sends single requests with Node's own HTTP client, which takes a tenth of the processor time and memory of `fetch` and
// the SDK's client. Only plain answers are taken: a result or an error of this request, in a short body. Which requests
// are sent this way is decided in plain-requests.ts.
import { type ClientRequest, Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { urlToHttpOptions } from 'node:url';
import type { Clock } from '@tidings/live';
import type { Sent } from '../../base/sent.ts';
import type { ServerLogin } from '../../login/server-login.ts';
import { LeanAnswer, type PlainAnswer } from './lean-answer.ts';

export interface LeanClientDeps {
  url: URL;
  /** As the configuration has them. */
  headers: Record<string, string>;
  login: Pick<ServerLogin, 'accessToken'> | undefined;
  clock: Clock;
  /** What else the server sent along with an answer. */
  receive(this: void, message: unknown): void;
}

/** What the session has agreed on. */
export interface AgreedFields {
  sessionId?: string | undefined;
  protocolVersion?: string | undefined;
}

export interface LeanRequest {
  method: string;
  params: Readonly<Record<string, unknown>>;
  /** Besides those of every request. */
  headers?: Readonly<Record<string, string>>;
  /** A longer answer is not plain. */
  mostBytes: number;
}

/** The SDK counts its own requests from 0. */
const firstId = 1_000_000_000;
/** How long a stream may stay open after its answer. */
const lingerMs = 1000;
/** How long a connection is kept: less than the five seconds of many servers, so that it is not used as it is closed. */
const idleMs = 4000;

export class LeanClient {
  readonly #deps: LeanClientDeps;
  readonly #agent: HttpAgent;
  readonly #target: ReturnType<typeof urlToHttpOptions>;
  readonly #send: typeof requestHttp;
  #lastId = firstId;

  constructor(deps: LeanClientDeps) {
    const isSecure = deps.url.protocol === 'https:';
    this.#deps = deps;
    this.#agent = new (isSecure ? HttpsAgent : HttpAgent)({ keepAlive: true, timeout: idleMs });
    this.#send = isSecure ? requestHttps : requestHttp;
    this.#target = urlToHttpOptions(deps.url);
  }

  /** The answer is undefined if there is one that is not plain; it rejects if there is none. */
  send(request: LeanRequest, agreed: AgreedFields): Sent<PlainAnswer | undefined> {
    this.#lastId += 1;
    const id = this.#lastId;
    const body = JSON.stringify({ jsonrpc: '2.0', id, method: request.method, params: request.params });
    const options = {
      ...this.#target,
      method: 'POST',
      agent: this.#agent,
      headers: this.#headers(request, agreed, Buffer.byteLength(body)),
    };
    const post = () => this.#send(options).end(body);
    let sent = post();
    const answer = this.#answerTo(sent, id, request.mostBytes).catch((error: unknown) => {
      if (!isClosedBeforeUse(sent, error)) throw error;
      // Others that were kept open as long may be closed, too.
      this.dropIdle();
      sent = post();
      return this.#answerTo(sent, id, request.mostBytes);
    });
    return { answer, giveUp: (reason) => giveUp(sent, reason) };
  }

  /** Connections that are kept open may be dead: the next requests use new ones. */
  dropIdle(): void {
    for (const sockets of Object.values(this.#agent.freeSockets)) for (const each of sockets ?? []) each.destroy();
  }

  close(): void {
    this.#agent.destroy();
  }

  #headers(
    { headers: more }: LeanRequest,
    { sessionId, protocolVersion }: AgreedFields,
    length: number,
  ): Record<string, string | number> {
    const token = this.#deps.login?.accessToken;
    return {
      ...this.#deps.headers,
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      Accept: 'application/json, text/event-stream',
      'Accept-Encoding': 'identity',
      'Content-Type': 'application/json',
      'Content-Length': length,
      ...(sessionId !== undefined && { 'Mcp-Session-Id': sessionId }),
      ...(protocolVersion !== undefined && { 'Mcp-Protocol-Version': protocolVersion }),
      ...more,
    };
  }

  #answerTo(sent: ClientRequest, id: number, mostBytes: number): Promise<PlainAnswer | undefined> {
    const { clock, receive } = this.#deps;
    return new Promise((resolve, reject) => {
      sent.on('response', (response) => {
        const answered = (plain: PlainAnswer) => {
          resolve(plain);
          if (response.complete) return;
          const timer = clock.after(lingerMs, () => sent.destroy());
          sent.on('close', () => timer.cancel());
        };
        const refuse = () => {
          resolve(undefined);
          sent.destroy();
        };
        const answer = new LeanAnswer(response, { id, mostBytes, receive, answered });
        response.on('data', (chunk: Buffer) => void (answer.push(chunk) || refuse()));
        response.on('end', () => void (answer.end() || refuse()));
      });
      sent.on('error', reject);
      sent.on('close', () => reject(new Error('The connection was closed before the answer.')));
    });
  }
}

/** The server closed a connection that was kept open, while this request was on its way. */
function isClosedBeforeUse(sent: ClientRequest, error: unknown): boolean {
  return sent.reusedSocket && error instanceof Error && 'code' in error && closedCodes.has(error.code);
}

const closedCodes: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE']);

function giveUp(sent: ClientRequest, reason: unknown): void {
  sent.destroy(reason instanceof Error ? reason : new Error('The request was given up.'));
}
