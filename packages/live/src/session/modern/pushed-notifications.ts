// Notifications that extensions send on one listen stream. For a stalled client, the last one for each key is kept, as
// one dirty mark per URI is.
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type Notification,
  SUBSCRIPTION_ID_META_KEY,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ServerDefinition } from '../../definition/server-definition.ts';
import type { ListenPush } from '../../definition/listen-extension.ts';
import type { Caller } from '../../resource/caller.ts';
import { asciiJson } from '../ascii-json.ts';
import type { RequestId } from './frames.ts';

/** Where the notifications are written; ready or not. */
export interface PushSink {
  readonly ready: boolean;
  /** `json` is one message. */
  push(json: string): void;
  end(): void;
}

const paramsSchema = z.object({
  notifications: z.record(z.string(), z.unknown()),
  _meta: z.object({
    [CLIENT_CAPABILITIES_META_KEY]: z.custom<ClientCapabilities>((value) => typeof value === 'object'),
  }),
});

export class PushedNotifications implements ListenPush {
  /** The honored parts of the filter, by their names. */
  readonly filter: Record<string, unknown> = {};
  readonly #id: RequestId;
  readonly #kept = new Map<string, string>();
  readonly #stops: (() => void)[] = [];
  #sink: PushSink | undefined;
  #isEnded = false;

  private constructor(id: RequestId) {
    this.#id = id;
  }

  /** Undefined if the request asks for no extension. */
  static async begin(
    { listens }: Pick<ServerDefinition, 'listens'>,
    caller: Caller,
    id: RequestId,
    params: unknown,
  ): Promise<PushedNotifications | undefined> {
    const { notifications = {}, _meta } = paramsSchema.safeParse(params).data ?? {};
    const requested = Object.entries(listens).filter(([name]) => name in notifications);
    if (requested.length === 0) return undefined;
    const capabilities = _meta?.[CLIENT_CAPABILITIES_META_KEY] ?? {};
    const pushed = new PushedNotifications(id);
    try {
      for (const [name, honor] of requested) {
        const part = await honor(notifications[name], { caller, capabilities }, pushed);
        if (part === undefined) continue;
        pushed.filter[name] = part.honored;
        pushed.#stops.push(part.stop);
      }
    } catch (error) {
      pushed.stop();
      throw error;
    }
    return pushed;
  }

  /** Called when the stream is acknowledged. */
  attach(sink: PushSink): void {
    this.#sink = sink;
    if (this.#isEnded) sink.end();
    else this.flush();
  }

  flush(): void {
    for (const [key, json] of this.#kept) {
      if (!this.#sink?.ready) return;
      this.#kept.delete(key);
      this.#sink.push(json);
    }
  }

  notify(key: string, { method, params }: Notification): void {
    const _meta = { ...params?.['_meta'], [SUBSCRIPTION_ID_META_KEY]: this.#id };
    this.#kept.delete(key);
    this.#kept.set(key, asciiJson({ jsonrpc: '2.0', method, params: { ...params, _meta } }));
    this.flush();
  }

  end(): void {
    this.#isEnded = true;
    this.#sink?.end();
  }

  stop(): void {
    for (const stop of this.#stops.splice(0)) stop();
    this.#kept.clear();
  }
}
