// The client of the tracker's sessions with the model's server.
import { Client, type McpSubscription, type SubscriptionFilter } from '@modelcontextprotocol/client';

interface ListeningServer {
  untilAgreed(): Promise<void>;
  listen(filter: SubscriptionFilter): McpSubscription;
}

/** The SDK's client, except for the streams of 2026-07-28: the test ends those. */
export class ModelClient extends Client {
  readonly #server: ListeningServer;
  readonly #isCurrent: () => boolean;

  constructor(server: ListeningServer, isCurrent: () => boolean) {
    super({ name: 'model', version: '1.0.0' });
    this.#server = server;
    this.#isCurrent = isCurrent;
  }

  override async listen(filter: SubscriptionFilter): Promise<McpSubscription> {
    if (!this.#isCurrent()) throw new Error('The connection was lost.');
    await this.#server.untilAgreed();
    return this.#server.listen(filter);
  }
}
