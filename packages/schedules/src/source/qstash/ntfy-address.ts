// Converts between topics and ntfy addresses. QStash knows a topic only by its address, which also distinguishes our
// schedules from others of the account.
import { isTopic } from '../../model/topic.ts';

export class NtfyAddress {
  readonly base: string;

  constructor({ origin, pathname }: URL) {
    this.base = (origin + pathname).replace(/\/+$/, '');
  }

  of(topic: string): string {
    return `${this.base}/${topic}`;
  }

  /** Undefined for addresses that are not of a topic. */
  topicAt(address: string): string | undefined {
    const prefix = `${this.base}/`;
    const topic = address.startsWith(prefix) ? address.slice(prefix.length) : '';
    return isTopic(topic) ? topic : undefined;
  }
}
