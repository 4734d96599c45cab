// One `subscriptions/listen` over HTTP: first the acknowledgement, then a notification per change, and the completing
// result if the server ends it.
import type { Timer } from '../../time/clock.ts';
import type { Sink } from '../../notify/sink.ts';
import type { Subscriber } from '../../notify/subscriber.ts';
import type { Watched } from '../../notify/watched.ts';
import type { Caller } from '../../resource/caller.ts';
import { messageEvent, messageEventHead } from '../../sse/sse-event.ts';
import { asciiJson } from '../ascii-json.ts';
import type { ServerDefinition } from '../../definition/server-definition.ts';
import { atExpiry } from '../expiry.ts';
import type { EventStream, StreamOwner } from '../../sse/event-stream.ts';
import type { OpenConnection } from '../open-connection.ts';
import { permitFor } from '../subscribe.ts';
import { type RequestId, acknowledgement, changeHead, changeTail, completion } from './frames.ts';
import { type Honored, isEmpty, watchHonored } from './honor.ts';
import type { PushSink, PushedNotifications } from './pushed-notifications.ts';

interface ListenRequest {
  readonly id: RequestId;
  readonly caller: Caller;
  /** The client's name and version. */
  readonly client: OpenConnection['client'];
}

export class ListenStream implements Sink, PushSink, StreamOwner {
  readonly #definition: ServerDefinition;
  readonly #id: RequestId;
  readonly wire = 'modern event';
  readonly tail: string;
  readonly #subscriber: Subscriber;
  readonly #stream: EventStream;
  readonly #expiry: Timer | undefined;
  readonly #onClose: (stream: ListenStream) => void;
  readonly #caller: Caller;
  readonly #client: OpenConnection['client'];
  readonly #since: number;
  #pushed: PushedNotifications | undefined;
  #isAcknowledged = false;

  constructor(
    definition: ServerDefinition,
    open: (owner: StreamOwner) => EventStream,
    { id, caller, client }: ListenRequest,
    onClose: (stream: ListenStream) => void,
  ) {
    this.#definition = definition;
    this.#id = id;
    this.tail = `${changeTail(id)}\n\n`;
    this.#onClose = onClose;
    this.#caller = caller;
    this.#client = client;
    this.#since = definition.clock.date();
    this.#stream = open(this);
    this.#subscriber = definition.notifier.attach(
      this,
      permitFor(definition, () => caller),
    );
    this.#expiry = atExpiry(definition.clock, caller, () => this.end());
  }

  async begin(honored: Honored): Promise<void> {
    this.#pushed = honored.pushed;
    await watchHonored(this.#definition, this.#subscriber, honored);
    if (this.#subscriber.isClosed) return;
    this.#isAcknowledged = true;
    this.#stream.write(messageEvent(asciiJson(acknowledgement(this.#id, honored.filter))));
    // The honored filter is empty, so the stream would never deliver a notification.
    if (isEmpty(honored)) this.end();
    this.#subscriber.resume();
    this.#pushed?.attach(this);
  }

  get connection(): OpenConnection {
    return {
      caller: this.#caller,
      client: this.#client,
      since: this.#since,
      sessionId: undefined,
      hasStream: true,
      watching: this.#subscriber,
    };
  }

  get ready(): boolean {
    return this.#isAcknowledged && this.#stream.ready;
  }

  encode(watched: Watched): string {
    return messageEventHead(changeHead(watched));
  }

  write(frames: string): void {
    this.#stream.write(frames);
  }

  push(json: string): void {
    this.#stream.write(messageEvent(json));
  }

  /** Ends the stream gracefully, after sending pending notifications. */
  async complete(): Promise<void> {
    await this.#subscriber.flushAll();
    this.#stream.end(messageEvent(asciiJson(completion(this.#id, this.#definition.info))));
    this.streamClosed();
  }

  end(): void {
    void this.complete();
  }

  streamClosed(): void {
    this.#expiry?.cancel();
    this.#subscriber.close();
    this.#pushed?.stop();
    this.#onClose(this);
  }

  streamDrained(): void {
    this.#subscriber.resume();
    this.#pushed?.flush();
  }
}
