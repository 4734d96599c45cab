// A session of the program that started the hub: each message is one line of JSON on stdout.
import type { Clock } from '@tidings/live';
import { visibleJson } from '@tidings/live/portable';
import type { AgentMessage, AgentPort } from './agent-port.ts';
import { bridgeMessage } from './bridge-message.ts';

interface StdoutPortOptions {
  session: string;
  clock: Pick<Clock, 'date'>;
  /** Calls `done` when the line was written, with an error if that failed. */
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
    // Stdout may be a terminal, which must not interpret contents.
    const line = `${visibleJson(JSON.stringify(bridgeMessage(session, message, new Date(clock.date()))))}\n`;
    return new Promise((resolve, reject) => {
      write(line, (error) => (error ? reject(new Error('Nothing reads stdout any more.')) : resolve()));
    });
  }

  async close(): Promise<void> {
    // Stdout stays open: it belongs to the process.
  }
}
