// The last requests that this page made to each server, as they were sent and answered.
import { shortened } from '@tidings/live/portable';
import type { Exchange } from '../hub/mcp-request.ts';
import { Observable } from './observable.ts';

export interface KeptExchange extends Exchange {
  /** Counts all requests of this page. */
  number: number;
}

/** Per server. */
const mostKept = 50;
/** The limit of a request, and of its response with notifications. */
const longestKept = 200_000;

export class RequestHistory extends Observable {
  readonly #kept = new Map<string, KeptExchange[]>();
  #count = 0;

  add(exchange: Exchange): void {
    this.#count += 1;
    const { serverId, request, messages } = exchange;
    const kept = {
      ...exchange,
      number: this.#count,
      request: shortened(request, longestKept),
      messages: cutAll(messages),
    };
    this.#kept.set(serverId, [...this.of(serverId), kept].slice(-mostKept));
    this.changed();
  }

  /** The oldest first. */
  of(serverId: string): readonly KeptExchange[] {
    return this.#kept.get(serverId) ?? [];
  }

  clear(serverId: string): void {
    this.#kept.delete(serverId);
    this.changed();
  }
}

/** Cuts a large response, keeping its last messages: the last one is the result. */
function cutAll(messages: readonly string[]): string[] {
  const kept: string[] = [];
  let room = longestKept;
  for (const message of messages.toReversed()) {
    if (room <= 0) break;
    kept.push(shortened(message, room));
    room -= message.length;
  }
  return kept.toReversed();
}
