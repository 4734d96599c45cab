// Requests that a process has not answered yet. If one waits for long while a later one is answered, it may have been
// dropped: it is sent again, once, if it is repeatable.
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { Clock } from '@tidings/live';
import { isRepeatable } from '../message/repeatable.ts';

interface OpenRequest {
  message: JSONRPCMessage;
  sentAt: number;
  isSentAgain: boolean;
}

/** Pause between two checks for late requests: there may be thousands of open ones. */
const lookMs = 500;

export class OpenRequests {
  readonly #clock: Clock;
  readonly #lateMs: number;
  /** The open requests by id, oldest first. */
  readonly #open = new Map<unknown, OpenRequest>();
  #lookedAt = 0;

  constructor(clock: Clock, lateMs: number) {
    this.#clock = clock;
    this.#lateMs = lateMs;
  }

  /** Adds a sent request, and removes a cancelled one. */
  sent(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message) this.#open.set(message.id, { message, sentAt: this.#clock.now(), isSentAgain: false });
    else if (message.method === 'notifications/cancelled') this.#open.delete(message.params?.['requestId']);
  }

  /** Removes the request; returns whether it was open. */
  close(id: unknown): boolean {
    return this.#open.delete(id);
  }

  /** Requests to send again, because the request `id`, sent later, is about to be answered. */
  overtakenBy(id: unknown): JSONRPCMessage[] {
    const [now, answered] = [this.#clock.now(), this.#open.get(id)];
    if (answered === undefined || now - this.#lookedAt < lookMs) return [];
    this.#lookedAt = now;
    return this.#again(Math.min(answered.sentAt, now - this.#lateMs));
  }

  /** Requests to send again after a silence of the server: all repeatable ones. */
  all(): JSONRPCMessage[] {
    return this.#again(Number.POSITIVE_INFINITY);
  }

  #again(before: number): JSONRPCMessage[] {
    const again: JSONRPCMessage[] = [];
    for (const request of this.#open.values()) {
      if (request.sentAt >= before) break;
      const { message, isSentAgain } = request;
      if (isSentAgain || !('method' in message) || !isRepeatable(message.method)) continue;
      request.isSentAgain = Number.isFinite(before);
      again.push(message);
    }
    return again;
  }
}
