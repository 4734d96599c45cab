// A session of the program that started the hub: each message is one line of JSON on stdout.
import type { Clock } from '@tidings/live';
import { visibleJson } from '@tidings/live/visible-text';
import type { AgentMessage, AgentPort } from './agent-port.ts';
import { bridgeMessage } from './bridge-message.ts';

export interface StdoutPortOptions {
  session: string;
  clock: Pick<Clock, 'date'>;
  /** Calls back when the line was taken, with an error if it was not. */
  write(this: void, line: string, done: (error?: Error | null) => void): void;
}

export class StdoutPort implements AgentPort {
  readonly kind = 'stdout';
  readonly #options: StdoutPortOptions;

  constructor(options: StdoutPortOptions) {
    this.#options = options;
  }

  async open(): Promise<void> {
    // There is nothing to open.
  }

  send(message: AgentMessage): Promise<void> {
    const { session, clock, write } = this.#options;
    // It may be a terminal, which must not interpret what a content holds.
    const line = `${visibleJson(JSON.stringify(bridgeMessage(session, message, new Date(clock.date()))))}\n`;
    return new Promise((resolve, reject) => {
      write(line, (error) => (error ? reject(new Error('Nothing reads stdout any more.')) : resolve()));
    });
  }

  async close(): Promise<void> {
    // Stdout belongs to the process.
  }
}
