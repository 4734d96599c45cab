// Sends single requests with Node's own HTTP client, which takes a tenth of the processor time and memory of `fetch`
// and the SDK's client. Accepts only plain answers: a result or an error of this request, in a short body.
// plain-requests.ts decides which requests are sent this way.
import { systemCode } from '@tidings/live/portable';
import { type ClientRequest, Agent as HttpAgent, type RequestOptions, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { urlToHttpOptions } from 'node:url';
import type { Clock } from '@tidings/live';
import type { CancellableRequest } from '../../../base/cancellable-request.ts';
import type { ServerLogin } from '../../../login/server-login.ts';
import { DirectResponse, type PlainAnswer } from './direct-response.ts';

interface DirectHttpClientDeps {
  url: URL;
  /** The headers of the configuration. */
  headers: Record<string, string>;
  login: Pick<ServerLogin, 'accessToken' | 'isMissing'> | undefined;
  clock: Clock;
  /** Called with any other message in the body of an answer. */
  receive(this: void, message: unknown): void;
}

/** Header values that the session negotiated. */
export interface AgreedFields {
  sessionId?: string | undefined;
  protocolVersion?: string | undefined;
}

export interface DirectRequest {
  method: string;
  params: Readonly<Record<string, unknown>>;
  /** Added to the headers of every request. */
  headers?: Readonly<Record<string, string>>;
  /** The longest plain answer. */
  mostBytes: number;
}

/** The SDK counts its own requests from 0. */
const firstId = 1_000_000_000;
/** How long a stream may stay open after its answer. */
const lingerMs = 1000;
/**
 * How long an idle connection is kept: less than the five seconds of many servers, so that it is not used while the
 * server closes it.
 */
const idleMs = 4000;

export class DirectHttpClient {
  readonly #deps: DirectHttpClientDeps;
  readonly #agent: HttpAgent;
  readonly #target: RequestOptions;
  readonly #send: typeof requestHttp;
  #lastId = firstId;

  constructor(deps: DirectHttpClientDeps) {
    const isSecure = deps.url.protocol === 'https:';
    this.#deps = deps;
    this.#agent = new (isSecure ? HttpsAgent : HttpAgent)({ keepAlive: true, timeout: idleMs });
    this.#send = isSecure ? requestHttps : requestHttp;
    // Only the needed options, because Node copies those of each request several times.
    const { hostname, port, path, auth } = urlToHttpOptions(deps.url);
    this.#target = { hostname, port, path, auth, method: 'POST', agent: this.#agent };
  }

  /** The answer is undefined if it is not plain. Rejects if there is no answer. */
  send(request: DirectRequest, agreed: AgreedFields): CancellableRequest<PlainAnswer | undefined> {
    // The login has ended since the request was first sent.
    if (this.#deps.login?.isMissing) return { answer: Promise.resolve(undefined), cancel: () => undefined };
    this.#lastId += 1;
    const id = this.#lastId;
    const body = JSON.stringify({ jsonrpc: '2.0', id, method: request.method, params: request.params });
    const options = { ...this.#target, headers: this.#headers(request, agreed, Buffer.byteLength(body)) };
    const post = () => this.#send(options).end(body);
    let sent = post();
    const answer = this.#answerTo(sent, id, request.mostBytes).catch((error: unknown) => {
      if (!isClosedBeforeUse(sent, error)) throw error;
      // Other connections that were kept as long may be closed as well.
      this.dropIdle();
      sent = post();
      return this.#answerTo(sent, id, request.mostBytes);
    });
    return { answer, cancel: (reason) => giveUp(sent, reason) };
  }

  /** Closes idle connections, which may be dead: the next requests use new ones. */
  dropIdle(): void {
    for (const sockets of Object.values(this.#agent.freeSockets)) for (const each of sockets ?? []) each.destroy();
  }

  close(): void {
    this.#agent.destroy();
  }

  #headers(
    { headers: more }: DirectRequest,
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
      let isSettled = false;
      const settle = (plain: PlainAnswer | undefined) => {
        isSettled = true;
        resolve(plain);
      };
      sent.on('response', (response) => {
        const answered = (plain: PlainAnswer) => {
          settle(plain);
          if (response.complete) return;
          const timer = clock.after(lingerMs, () => sent.destroy());
          sent.on('close', () => timer.cancel());
        };
        const refuse = () => {
          settle(undefined);
          sent.destroy();
        };
        const answer = new DirectResponse(response, { id, mostBytes, receive, answered });
        response.on('data', (chunk: Buffer) => void (answer.push(chunk) || refuse()));
        response.on('end', () => void (answer.end() || refuse()));
      });
      sent.on('error', reject);
      // Usually it is closed after the answer; an error, with its stack, would cost more than the rest of the request.
      sent.on('close', () => isSettled || reject(new Error('The connection was closed before the answer.')));
    });
  }
}

/** Whether the server closed a kept-open connection while the request was on its way. */
function isClosedBeforeUse(sent: ClientRequest, error: unknown): boolean {
  return sent.reusedSocket && closedCodes.has(systemCode(error));
}

const closedCodes: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE']);

function giveUp(sent: ClientRequest, reason: unknown): void {
  sent.destroy(reason instanceof Error ? reason : new Error('The request was given up.'));
}
