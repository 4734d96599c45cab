// The vCon server of the cluster as an upstream whose content the suite knows: the subjects of conversations are
// changed through the balancer. A change is repeated until it is acknowledged; only the newest one of each conversation
// matters.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ChaosUpstream } from '../upstream.ts';
import { pause } from '../round.ts';
import { callTool, callUntilDone } from './call-tool.ts';

const documentSchema = z.object({ subject: z.string() });
const againMs = 200;
/**
 * The list has the newest 100, and the event stream reports listed resources only: these stay listed whatever else is
 * created.
 */
const newerThanAll = '2100-01-01T00:00:00Z';
const uriOf = (uuid: string) => `vcon://v1/vcons/${uuid}`;

/** The text that a subscriber compares: of a conversation, its subject. */
export function shownIn(uri: string, text: string): string {
  return uri.startsWith('vcon:') ? documentSchema.parse(JSON.parse(text)).subject : text;
}

export class Conversations implements ChaosUpstream {
  readonly id = 'vcon';
  readonly kind = 'vCon server';
  readonly entry = { id: 'vcon', builtin: 'vcon', enabled: true, trackResources: true };
  readonly resources: Record<string, string> = {};
  readonly #uuids = new Map<string, string>();
  readonly #writing = new Set<string>();
  /** By URI, why the last attempt at a change failed, while it is being repeated. */
  readonly failures = new Map<string, string>();
  #url = '';
  #isClosed = false;

  constructor(count: number) {
    for (let n = 0; n < count; n += 1) {
      const uuid = randomUUID();
      this.#uuids.set(uriOf(uuid), uuid);
      this.resources[uriOf(uuid)] = `subject ${n}`;
    }
  }

  get uris(): readonly string[] {
    return [...this.#uuids.keys()];
  }

  /** Creates the conversations. */
  async begin(url: string): Promise<void> {
    this.#url = url;
    for (const [uri, uuid] of this.#uuids) {
      const vcon = { uuid, subject: this.resources[uri], created_at: newerThanAll };
      await callUntilDone(url, 'vcon', 'create_vcon', vcon);
    }
  }

  async put(uri: string, text: string): Promise<void> {
    this.resources[uri] = text;
    // Not awaited: it may be acknowledged only after the fault has ended.
    if (!this.#writing.has(uri)) void this.#write(uri);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
  }

  async #write(uri: string): Promise<void> {
    this.#writing.add(uri);
    for (let written: string | undefined; written !== this.resources[uri] && !this.#isClosed;) {
      const subject = this.resources[uri];
      try {
        await callTool(this.#url, 'vcon', 'update_vcon', { uuid: this.#uuids.get(uri), subject });
        written = subject;
        this.failures.delete(uri);
      } catch (error) {
        this.failures.set(uri, String(error));
        await pause(againMs);
      }
    }
    this.#writing.delete(uri);
  }
}
