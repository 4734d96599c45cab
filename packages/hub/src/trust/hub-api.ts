// The hub's own routes, for commands that ask a running hub for something.
import { foregroundClock, timeLimit } from '@tidings/live/time';
import { z } from 'zod';
import { Failure } from '../terminal/failure.ts';

const patienceMs = 30_000;
const errorSchema = z.object({ error: z.object({ message: z.string() }) });

export class HubApi {
  readonly #hub: URL;
  readonly #token: string | undefined;

  /** The token is sent to the hub at this address only. */
  constructor(hub: URL, token: string | undefined) {
    this.#hub = hub;
    this.#token = token;
  }

  /** With a body it is a POST. */
  async ask<Schema extends z.ZodType>(path: string, schema: Schema, body?: unknown): Promise<z.output<Schema>> {
    const { ok, status, json } = await this.#request(path, body);
    if (!ok) throw this.#refused(status, errorSchema.safeParse(json).data?.error.message);
    const parsed = schema.safeParse(json);
    if (parsed.success) return parsed.data;
    throw new Failure(`What answers at ${this.#hub.origin} is no hub, or one of another version.`);
  }

  async #request(path: string, body: unknown): Promise<{ ok: boolean; status: number; json: unknown }> {
    const headers = {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(this.#token !== undefined && { Authorization: `Bearer ${this.#token}` }),
    };
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const limit = timeLimit(foregroundClock, patienceMs);
    try {
      const url = new URL(path, this.#hub.origin);
      const answer = await fetch(url, { ...sent, headers, signal: limit.signal, redirect: 'error' });
      const json: unknown = await answer.json().catch(() => undefined);
      return { ok: answer.ok, status: answer.status, json };
    } catch {
      const where = this.#hub.origin;
      throw new Failure(`No hub answers at ${where}. Start one with "tidings up", or name another with --hub.`);
    } finally {
      limit.clear();
    }
  }

  #refused(status: number, message: string | undefined): Failure {
    if (status === 401) {
      return new Failure(`The hub at ${this.#hub.origin} asks for a token (401). Set TIDINGS_TOKEN to one it accepts.`);
    }
    return new Failure(message ?? `The hub at ${this.#hub.origin} answered with HTTP ${status}.`);
  }
}
