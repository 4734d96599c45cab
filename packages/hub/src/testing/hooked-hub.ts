// The hooks of a hub whose clients have read resources of the server `a`.
import type { Caller } from '@tidings/live';
import { FakeClock } from '@tidings/live/testing';
import { eventLoopTurn } from '@tidings/live/time';
import type { TrackerEvent } from '@tidings/client/contract';
import { permissionsBy } from '../access/permissions.ts';
import type { HookHost } from '../hook/hook-host.ts';
import { hookInputOf } from '../hook/hook-input.ts';
import { hookSelection } from '../hook/hook-selection.ts';
import { type HookReply, Hooks } from '../hook/hooks.ts';
import type { ReadByClient } from '../hook/read-changes.ts';

export const timestamp = '2026-01-01T00:00:00.000Z';

export const changed = (...uris: string[]) =>
  `MCP resources that changed since they were read: ${uris.join(', ')}; read again what you rely on.`;

export interface Asked {
  session?: string;
  host?: HookHost;
  caller?: Caller;
  query?: { server?: string; uri?: string };
}

export class HookedHub {
  readonly clock = new FakeClock();
  readonly hooks: Hooks;
  lastChange = 0;
  start = 1;
  /** How many events were looked up in the journal. */
  lookups = 0;
  readonly #events: TrackerEvent[] = [];
  readonly #read = new Map<string, ReadByClient>();

  constructor() {
    const at = (position: number) => {
      this.lookups += 1;
      const event = position < this.start ? undefined : this.#events[position - 1];
      return event && { event, cursor: '', json: '' };
    };
    const ofHub = {
      start: () => this.start,
      end: () => this.#events.length + 1,
      lastChange: () => this.lastChange,
      readWith: () => this.#read.values(),
    };
    this.hooks = new Hooks({
      journal: {
        at,
        get start() {
          return ofHub.start();
        },
        get end() {
          return ofHub.end();
        },
      },
      reads: {
        get lastChange() {
          return ofHub.lastChange();
        },
        readWith: (subject) => (subject === '' ? ofHub.readWith() : []),
      },
      nameOf: (_server, uri) => uri,
      permissionsOf: permissionsBy(() => undefined, this.clock),
      clock: this.clock,
    });
  }

  read(uri: string, client = 'claude-code', isOfOneSession = false): void {
    const none = { changes: 0, firstChange: 0, lastChange: 0 };
    const earlier = this.#read.get(uri) ?? none;
    this.#read.set(uri, { serverId: 'a', uri, requestedUri: uri, client, isOfOneSession, ...none, earlier });
  }

  change(uri: string): void {
    this.lastChange += 1;
    const read = this.#read.get(uri);
    if (read) {
      const firstChange = read.firstChange || this.lastChange;
      this.#read.set(uri, { ...read, changes: read.changes + 1, firstChange, lastChange: this.lastChange });
    }
    this.happen({ type: 'resource_update', serverId: 'a', resourceUri: uri, timestamp });
  }

  happen(event: TrackerEvent): void {
    this.#events.push(event);
  }

  /** Resolves with the JSON of the host. */
  async hook(
    event: string,
    fields: object = {},
    { session = 's', host = 'claude-code', ...rest }: Asked = {},
  ): Promise<HookReply> {
    const input = hookInputOf({ session_id: session, hook_event_name: event, ...fields });
    const caller = rest.caller ?? { era: 'modern', transport: 'http' };
    const waiting = new Set(['reply']);
    const reply = this.hooks.answer({ caller, host, input, wanted: hookSelection(rest.query ?? {}) });
    const answered = reply.finally(() => waiting.clear());
    while (waiting.size > 0) {
      await eventLoopTurn();
      this.clock.tick();
    }
    return answered;
  }

  /** The text that the model gets; empty if it gets none. */
  async says(event: string, fields: object = {}, requestedUri: Asked = {}): Promise<string> {
    const { body } = await this.hook(event, fields, requestedUri);
    return textIn(body);
  }
}

export function textIn(body: unknown): string {
  if (typeof body === 'string') return body;
  const { hookSpecificOutput, additionalContext, reason, additional_context, followup_message } = Object(body);
  const found: unknown = hookSpecificOutput ?? additionalContext ?? reason ?? additional_context ?? followup_message;
  return found === undefined ? '' : textIn(found);
}
