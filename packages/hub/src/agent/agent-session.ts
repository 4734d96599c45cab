// One agent that is told what changed. It reads the journal from a place of its own, so that a session that
// is slow, or gone for a while, delays nobody and misses nothing.
import type { Clock, Log, Timer } from '@tidings/live';
import { type Journal, type TrackerEvent, Backoff } from '@tidings/track';
import { Scope } from '../access/scope.ts';
import type { AgentPort } from './agent-port.ts';
import { type AnnounceStyle, type AnnouncementOptions, Announcements } from './announcement.ts';
import { Pacing, type PacingOptions } from './pacing.ts';
import { Transcript } from './transcript.ts';

export interface AgentSessionOptions extends PacingOptions {
  id: string;
  /** Only these servers. */
  servers?: readonly string[] | undefined;
  /** Only resources that match one of these patterns, as in `vcon://**`. */
  uris?: readonly string[] | undefined;
  announce?: AnnounceStyle | undefined;
}

export interface AgentSurroundings {
  journal: Journal;
  read: AnnouncementOptions['read'];
  clock: Clock;
  random: () => number;
  log: Log;
}

export type AgentState = 'attaching' | 'attached' | 'backoff' | 'detached';

export class AgentSession {
  readonly transcript: Transcript;
  readonly #options: AgentSessionOptions;
  readonly #port: AgentPort;
  readonly #surroundings: AgentSurroundings;
  readonly #scope: Scope;
  readonly #pacing: Pacing;
  readonly #announcements: Announcements;
  readonly #backoff: Backoff;
  readonly #unfollow: () => void;
  #state: AgentState = 'attaching';
  #detail = '';
  #place: number;
  #messages = 0;
  #isSending = false;
  #retry: Timer | undefined;

  constructor(options: AgentSessionOptions, port: AgentPort, surroundings: AgentSurroundings) {
    const { journal, clock, random, read } = surroundings;
    this.#options = options;
    this.#port = port;
    this.#surroundings = surroundings;
    this.#scope = new Scope(options.uris);
    this.#pacing = new Pacing(options, clock, () => this.#sendSoon());
    this.#announcements = new Announcements({ style: options.announce ?? 'line', read });
    this.#backoff = new Backoff(random);
    this.transcript = new Transcript(() => clock.date());
    this.#place = journal.end;
    this.#unfollow = journal.follow(() => this.#advance());
    void this.#attach();
  }

  status() {
    const { id, when = 'now', announce = 'line', perMinute, servers, uris } = this.#options;
    return {
      id,
      kind: this.#port.kind,
      state: this.#state,
      detail: this.#detail,
      when,
      announce,
      ...(perMinute !== undefined && { perMinute }),
      ...(servers && { servers }),
      ...(uris && { uris }),
      messages: this.#messages,
      pending: this.#pacing.size,
    };
  }

  async detach(): Promise<void> {
    this.#become('detached', '');
    this.#retry?.cancel();
    this.#unfollow();
    this.#pacing.close();
    await this.#port.close();
  }

  /** Only marks what is pending: whoever tells of a change does not wait for an agent. */
  #advance(): void {
    const { journal } = this.#surroundings;
    if (this.#place < journal.start) {
      this.#place = journal.start;
      this.transcript.add('state', 'Some updates are too old to be told.');
    }
    for (; this.#place < journal.end; this.#place += 1) {
      const event = journal.at(this.#place)?.event;
      if (event?.type === 'resource_update' && this.#isWanted(event)) this.#pacing.offer(event);
    }
    this.#sendSoon();
  }

  #isWanted(event: Extract<TrackerEvent, { type: 'resource_update' }>): boolean {
    const { servers } = this.#options;
    return (servers?.includes(event.serverId) ?? true) && this.#scope.opens(event.resourceUri);
  }

  #sendSoon(): void {
    if (!this.#isSending && this.#state === 'attached') void this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    for (let batch = this.#pacing.take(); batch && this.#state === 'attached'; batch = this.#pacing.take()) {
      try {
        for (const text of await this.#announcements.messages(batch)) {
          await this.#port.send(text);
          this.#messages += 1;
          this.transcript.add('message', text);
        }
      } catch (error) {
        // Telling twice is better than not at all.
        this.#pacing.giveBack(batch.updates);
        this.#lost(error instanceof Error ? error.message : String(error));
      }
    }
    this.#isSending = false;
  }

  async #attach(): Promise<void> {
    this.#become('attaching', '');
    try {
      await this.#port.open({
        answering: (isAnswering) => this.#pacing.answering(isAnswering),
        lost: (reason) => this.#lost(reason),
      });
    } catch (error) {
      return this.#lost(error instanceof Error ? error.message : String(error));
    }
    if (this.#isDetached()) return this.#port.close();
    this.#backoff.reset();
    this.#become('attached', '');
    this.#sendSoon();
  }

  #lost(reason: string): void {
    if (this.#state === 'detached' || this.#state === 'backoff') return;
    this.#become('backoff', reason);
    this.#surroundings.log.warn({ session: this.#options.id, reason }, 'An agent session was lost.');
    this.#pacing.answering(false);
    this.#retry = this.#surroundings.clock.after(this.#backoff.next(), () => void this.#attach());
  }

  #isDetached(): boolean {
    return this.#state === 'detached';
  }

  #become(state: AgentState, detail: string): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#detail = detail;
    this.transcript.add('state', detail === '' ? state : `${state}: ${detail}`);
  }
}
