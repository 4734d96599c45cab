// The transport of the QStash SDK. The SDK's own has no time limit, cannot be stopped and writes to the console.
import { parsedJson, shortLine } from '@tidings/live/portable';
import type { Client } from '@upstash/qstash';
import type { Clock } from '@tidings/live';
import { NoAnswer, boundedRequest, networkCause, readUpTo } from '@tidings/live/internal';
import { z } from 'zod';
import { QstashFailure, closed, refused, silent, unreachable, unreadable } from './qstash-failure.ts';

type Requester = Client['http'];
type QstashRequest = Parameters<Requester['request']>[0];

interface QstashRequestsOptions {
  url: URL;
  token: string;
  /** Texts that must not appear in messages, in addition to the token. */
  secrets: readonly string[];
  timeoutMs: number;
  clock: Clock;
  fetch: typeof fetch;
}

interface QstashResponse {
  status: number;
  headers: Headers;
  text: string;
}

const longestReason = 300;
/** More than a page of messages has. */
const mostBytes = 64 * 1024 * 1024;

export class QstashRequests implements Requester {
  readonly origin: string;
  readonly #options: QstashRequestsOptions;
  readonly #underWay = new Set<AbortController>();
  #isClosed = false;

  constructor(options: QstashRequestsOptions) {
    this.#options = options;
    this.origin = options.url.origin;
  }

  async request<T>(request: QstashRequest): Promise<T & { error?: string }> {
    const { status, headers, text } = await this.#send(request);
    if (status < 200 || status > 299) {
      throw refused({ status, headers, reason: this.#reasonIn(text), origin: this.origin });
    }
    try {
      return JSON.parse(request.parseResponseAsJson === false ? 'null' : text);
    } catch {
      throw unreadable(this.origin);
    }
  }

  /** The SDK streams only for features that are not used here. */
  async *requestStream(): AsyncGenerator<never> {
    yield* [];
  }

  /** Cancels requests in progress. */
  close(): void {
    this.#isClosed = true;
    for (const controller of this.#underWay) controller.abort();
  }

  /** Repeats a request once after a broken connection: all requests here can be repeated safely. */
  async #send(request: QstashRequest): Promise<QstashResponse> {
    try {
      return await this.#attempt(request);
    } catch (error) {
      if (error instanceof QstashFailure) throw error;
    }
    try {
      return await this.#attempt(request);
    } catch (error) {
      throw error instanceof QstashFailure ? error : unreachable(this.origin, networkCause(error) ?? 'no connection');
    }
  }

  async #attempt(request: QstashRequest): Promise<QstashResponse> {
    if (this.#isClosed) throw closed();
    const { fetch, clock, timeoutMs, token } = this.#options;
    const controller = new AbortController();
    const bounds = { fetch, clock, withinMs: timeoutMs, signal: controller.signal };
    this.#underWay.add(controller);
    try {
      const headers = headersOf(request);
      headers.set('Authorization', `Bearer ${token}`);
      const init = { method: request.method ?? 'GET', headers, body: request.body ?? null };
      return await boundedRequest(this.#urlOf(request), init, bounds, (response) => this.#whole(response));
    } catch (error) {
      if (error instanceof NoAnswer) throw silent(this.origin, timeoutMs);
      throw this.#isClosed ? closed() : error;
    } finally {
      this.#underWay.delete(controller);
    }
  }

  async #whole({ status, headers, body }: Response): Promise<QstashResponse> {
    const bytes = await readUpTo(body, mostBytes);
    if (bytes.length > mostBytes) throw unreadable(this.origin);
    return { status, headers, text: String(bytes) };
  }

  #urlOf({ path, query = {} }: QstashRequest): URL {
    const url = new URL([this.#options.url.href.replace(/\/+$/, ''), ...path].join('/'));
    for (const [name, value] of Object.entries(query)) {
      const values = value === undefined ? [] : [value].flat();
      for (const each of values) url.searchParams.append(name, String(each instanceof Date ? each.getTime() : each));
    }
    return url;
  }

  #reasonIn(text: string): string {
    const secrets = [this.#options.token, ...this.#options.secrets].filter((secret) => secret !== '');
    const clean = secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), errorIn(text));
    return shortLine(clean, longestReason).replace(/\.$/, '') || 'it does not say why';
  }
}

function headersOf({ headers: given = {} }: QstashRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of Symbol.iterator in given ? given : Object.entries(given)) headers.append(name, value);
  return headers;
}

/** QStash answers `{"error": "…"}`; a proxy in between may answer anything. */
function errorIn(text: string): string {
  return z.object({ error: z.string() }).safeParse(parsedJson(text)).data?.error ?? text;
}
