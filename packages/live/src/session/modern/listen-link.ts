// One `subscriptions/listen` on a duplex connection. It is reserved when the request arrives, and live once it is
// acknowledged.
import type { SubscriptionFilter } from '@modelcontextprotocol/server';
import type { Sink } from '../../notify/sink.ts';
import type { Subscriber } from '../../notify/subscriber.ts';
import type { Watched } from '../../notify/watched.ts';
import type { Caller } from '../../resource/caller.ts';
import { asciiJson } from '../ascii-json.ts';
import type { ServerDefinition } from '../../definition/server-definition.ts';
import type { Line } from '../line.ts';
import { permitFor } from '../subscribe.ts';
import { type RequestId, acknowledgement, changeHead, changeTail, completion } from './frames.ts';
import { honor, watchHonored } from './honor.ts';
import type { PushSink, PushedNotifications } from './pushed-notifications.ts';

export class ListenLink implements Sink, PushSink {
  readonly id: RequestId;
  readonly wire = 'modern line';
  readonly tail: string;
  readonly #definition: ServerDefinition;
  readonly #line: Line;
  readonly #caller: Caller;
  readonly #subscriber: Subscriber;
  readonly #onEnd: () => void;
  readonly #params: unknown;
  #pushed: PushedNotifications | undefined;
  #closed = false;
  #isAcknowledged = false;

  constructor(
    definition: ServerDefinition,
    line: Line,
    { id, params }: { id: RequestId; params?: unknown },
    caller: Caller,
    onEnd: () => void,
  ) {
    this.id = id;
    this.#params = params;
    this.tail = `${changeTail(id)}\n`;
    this.#definition = definition;
    this.#line = line;
    this.#caller = caller;
    this.#onEnd = onEnd;
    this.#subscriber = definition.notifier.attach(
      this,
      permitFor(definition, () => caller),
    );
  }

  async acknowledge(requested: SubscriptionFilter): Promise<void> {
    const request = { id: this.id, params: this.#params, filter: requested };
    const honored = await honor(this.#definition, this.#caller, request, () => this.#closed);
    this.#pushed = honored.pushed;
    try {
      if (!this.#closed) await watchHonored(this.#definition, this.#subscriber, honored);
    } finally {
      honored.release();
    }
    if (this.#closed) {
      this.#pushed?.stop();
      return;
    }
    this.#isAcknowledged = true;
    this.#line.write(`${asciiJson(acknowledgement(this.id, honored.filter))}\n`);
    this.#subscriber.resume();
    this.#pushed?.attach(this);
  }

  get ready(): boolean {
    return this.#isAcknowledged && this.#line.ready;
  }

  encode(watched: Watched): string {
    return changeHead(watched);
  }

  write(frames: string): void {
    this.#line.write(frames);
  }

  push(json: string): void {
    this.#line.write(`${json}\n`);
  }

  resume(): void {
    this.#subscriber.resume();
    this.#pushed?.flush();
  }

  /** Sends pending notifications before the server ends the stream. */
  flush(): void {
    this.#subscriber.flush();
  }

  close(): void {
    this.#closed = true;
    this.#subscriber.close();
    this.#pushed?.stop();
  }

  /** Ends the stream from the server's side and notifies the client of that. */
  end(): void {
    this.#onEnd();
    this.#line.write(`${asciiJson(completion(this.id, this.#definition.info))}\n`);
  }
}
