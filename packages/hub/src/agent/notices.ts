// Messages for one session besides the news of the journal, such as a due notification. Each is sent once, and its
// sender learns whether it has arrived.
import { LiveError } from '@tidings/live';
import type { AgentMessage } from './port/agent-port.ts';

export interface Notice {
  readonly messages: readonly AgentMessage[];
  /** When it was requested, by `clock.now()`. */
  readonly since: number;
}

interface WaitingNotice extends Notice {
  resolve(this: void): void;
  reject(this: void, error: LiveError): void;
  /** The number of its last message that was sent. */
  sent: number;
  isSent: boolean;
}

/** The most notices that one session holds; the sender of each waits for it. */
const most = 100;

export class Notices {
  readonly #waiting = new Set<WaitingNotice>();

  /** Resolves when all messages have arrived. */
  add(messages: readonly AgentMessage[], since: number): Promise<void> {
    if (this.#waiting.size >= most) {
      return Promise.reject(new LiveError('UNAVAILABLE', `The session has ${most} pending notifications already.`));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.add({ messages, since, resolve, reject, sent: 0, isSent: false });
    });
  }

  /** The oldest unsent notice. */
  get next(): Notice | undefined {
    return [...this.#waiting].find(({ isSent }) => !isSent);
  }

  /** Called when one of its messages is being sent, with that message's number. */
  sending(notice: Notice, message: number): void {
    for (const each of this.#waiting) if (each === notice) each.sent = message;
  }

  /** All its messages were sent. Without `confirms`, that counts as arrived. */
  wasSent(notice: Notice, confirms: boolean): void {
    for (const each of this.#waiting) {
      if (each !== notice) continue;
      each.isSent = true;
      if (!confirms) this.#end(each);
    }
  }

  /** The first `messages` messages of the session have arrived. */
  arrived(messages: number): void {
    for (const each of this.#waiting) if (each.isSent && each.sent <= messages) this.#end(each);
  }

  /** Returns whether the refused message was part of a notice. */
  refused(message: number, reason: string): boolean {
    for (const each of this.#waiting) {
      const first = each.sent - each.messages.length + 1;
      if (each.sent === 0 || message < first || message > each.sent) continue;
      this.#waiting.delete(each);
      each.reject(new LiveError('INVALID_PARAMS', `The session refused the notification: ${reason}.`));
      return true;
    }
    return false;
  }

  /** The session is lost or detached: senders may try again. */
  lost(reason: string): void {
    for (const each of this.#waiting) {
      this.#waiting.delete(each);
      each.reject(new LiveError('UNAVAILABLE', `The session did not accept the notification: ${reason}`));
    }
  }

  #end(notice: WaitingNotice): void {
    this.#waiting.delete(notice);
    notice.resolve();
  }
}
