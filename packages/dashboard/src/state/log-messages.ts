// The log messages that servers sent during calls of this page, and the level that calls request.
import { systemClock } from '@tidings/live/time';
import type { CallLog, LogLevel, ServerLogMessage } from '../hub/log-message.ts';
import { Observable } from './observable.ts';

export interface KeptMessage extends ServerLogMessage {
  /** Milliseconds since the epoch. */
  at: number;
}

/** Per server. */
const mostKept = 200;

export class LogMessages extends Observable {
  readonly #kept = new Map<string, readonly KeptMessage[]>();
  #level: LogLevel | undefined;

  /** Undefined: calls request no messages. */
  get level(): LogLevel | undefined {
    return this.#level;
  }

  choose(level: LogLevel | undefined): void {
    this.#level = level;
    this.changed();
  }

  /** The oldest first. */
  of(serverId: string): readonly KeptMessage[] {
    return this.#kept.get(serverId) ?? [];
  }

  clear(serverId: string): void {
    this.#kept.delete(serverId);
    this.changed();
  }

  /** For a call of this server; undefined if no messages are requested. */
  forCall(serverId: string): CallLog | undefined {
    if (this.#level === undefined) return undefined;
    return {
      level: this.#level,
      onMessage: (message) => {
        this.#kept.set(serverId, [...this.of(serverId), { ...message, at: systemClock.date() }].slice(-mostKept));
        this.changed();
      },
    };
  }
}
