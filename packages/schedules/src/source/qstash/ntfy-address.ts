// Which ntfy address stands for which topic. The address is all QStash knows of a topic, so it is also
// how our schedules are told from others of the same account.
import { isTopic } from '../../model/topic.ts';

export class NtfyAddress {
  readonly base: string;

  constructor({ origin, pathname }: URL) {
    this.base = (origin + pathname).replace(/\/+$/, '');
  }

  of(topic: string): string {
    return `${this.base}/${topic}`;
  }

  /** Undefined for addresses that are not ours. */
  topicAt(address: string): string | undefined {
    const prefix = `${this.base}/`;
    const topic = address.startsWith(prefix) ? address.slice(prefix.length) : '';
    return isTopic(topic) ? topic : undefined;
  }
}
