// Requests to the HTTP routes of a running hub.
import { boundedRequest, networkCause, readUpTo } from '@tidings/live/internal';
import { messageOf, parsedJson } from '@tidings/live/portable';
import { foregroundClock } from '@tidings/live/time';
import { errorAnswer } from '@tidings/client/contract';
import type * as z from 'zod/mini';
import { isOfTls, noHub, noSecureConnection } from '../base/unreachable.ts';
import { Failure } from '../terminal/failure.ts';

const patienceMs = 30_000;
/** More than any route of a hub sends. */
const mostBytes = 256 * 1024 * 1024;

export class HubApiClient {
  readonly #hub: URL;
  readonly #token: string | undefined;
  readonly #withinMs: number;

  /** The token is sent to this address only; redirects are not followed. */
  constructor(hub: URL, token: string | undefined, withinMs = patienceMs) {
    this.#hub = hub;
    this.#token = token;
    this.#withinMs = withinMs;
  }

  /** A POST where there is a body, otherwise a GET. */
  async ask<Schema extends z.ZodMiniType>(path: string, schema: Schema, body?: unknown): Promise<z.output<Schema>> {
    return this.#send(path, schema, body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) });
  }

  async remove<Schema extends z.ZodMiniType>(path: string, schema: Schema): Promise<z.output<Schema>> {
    return this.#send(path, schema, { method: 'DELETE' });
  }

  async #send<Schema extends z.ZodMiniType>(
    path: string,
    schema: Schema,
    sent: RequestInit,
  ): Promise<z.output<Schema>> {
    const { ok, status, json } = await this.#request(path, sent);
    if (!ok) throw this.#refused(status, errorAnswer.safeParse(json).data?.error.message);
    const parsed = schema.safeParse(json);
    if (parsed.success) return parsed.data;
    throw new Failure(`The server at ${this.#hub.origin} is not a hub, or a hub of another version. Check --hub.`);
  }

  async #request(path: string, sent: RequestInit): Promise<{ ok: boolean; status: number; json: unknown }> {
    const headers = {
      ...(sent.body !== undefined && { 'Content-Type': 'application/json' }),
      ...(this.#token !== undefined && { Authorization: `Bearer ${this.#token}` }),
    };
    const bounds = { clock: foregroundClock, withinMs: this.#withinMs };
    try {
      const url = new URL(path, this.#hub.origin);
      return await boundedRequest(url, { ...sent, headers, redirect: 'error' }, bounds, async (answer) => {
        const text = await readUpTo(answer.body, mostBytes).then(String, () => '');
        return { ok: answer.ok, status: answer.status, json: parsedJson(text) };
      });
    } catch (error) {
      const { origin } = this.#hub;
      const code = networkCause(error);
      if (code !== undefined && isOfTls(code)) throw new Failure(noSecureConnection(`the hub at ${origin}`, code));
      const why = code ?? this.#withoutToken(messageOf(Object(error).cause ?? error)).replace(/\.$/, '');
      throw new Failure(noHub(origin, why, 'name another with --hub'));
    }
  }

  /** The runtime quotes a token that no header can carry. */
  #withoutToken(text: string): string {
    return this.#token ? text.replaceAll(this.#token, '…') : text;
  }

  #refused(status: number, message: string | undefined): Failure {
    if (status === 401) {
      return new Failure(`The hub at ${this.#hub.origin} asks for a token (401). Set TIDINGS_TOKEN to one it accepts.`);
    }
    return new Failure(message ?? `The hub at ${this.#hub.origin} answered with HTTP ${status}.`);
  }
}
