// One agent that is notified of changes. It reads the journal from a position of its own, so that a slow or lost session
// delays no other session and misses no change.
import { type Clock, LiveError, type Log, type Timer } from '@tidings/live';
import { Backoff } from '@tidings/live/time';
import {
  type InterestOptions,
  type PacingOptions,
  Interest,
  type News,
  Pacing,
  Refusals,
  newsOf,
  summaryMessage,
} from '@tidings/client/tell';
import type { Journal } from '@tidings/track';
import type { SessionStatus } from '@tidings/client/contract';
import type { AgentMessage, AgentPort } from './agent-port.ts';
import { type AnnounceStyle, type AnnouncementOptions, Announcements } from './announcement.ts';
import { Attachment } from './attachment.ts';
import { inTime } from './in-time.ts';
import { type Notice, Notices } from './notices.ts';
import { SessionOver } from './session-over.ts';
import { Transcript } from './transcript.ts';

export interface AgentSessionOptions extends PacingOptions, InterestOptions {
  id: string;
  announce?: AnnounceStyle | undefined;
  /** The cursor of the last event that the agent was notified of before. Default: only events from now on. */
  after?: string | undefined;
  /** It was attached before the hub was restarted, so it is not known what it has missed. */
  isRestored?: boolean | undefined;
  /** Called when its session is over for good. */
  onOver?: (() => void) | undefined;
}

export interface AgentDeps {
  journal: Journal;
  read: AnnouncementOptions['read'];
  clock: Clock;
  random: () => number;
  /** Told how long after its event a session has taken the line about it. */
  delivered(this: void, session: string, seconds: number): void;
  log: Log;
}

export type AgentState = SessionStatus['state'];

/** A session that does not open, accept a message or close within this time counts as lost. */
const openMs = 20_000;
const sendMs = 30_000;
const closeMs = 1000;
/** After a session that lasted this long, the pauses before reconnecting start short again. */
const steadyMs = 30_000;
const retryPauses = { firstMs: 500, longestMs: 30_000 };

export class AgentSession {
  readonly transcript: Transcript;
  readonly #options: AgentSessionOptions;
  readonly #port: AgentPort;
  readonly #deps: AgentDeps;
  readonly #interest: Interest;
  readonly #pacing: Pacing;
  readonly #backoff: Backoff;
  readonly #refusals: Refusals;
  readonly #notices = new Notices();
  readonly #unfollow: () => void;
  #state: AgentState = 'attaching';
  #detail = '';
  /** The trouble that the transcript has mentioned since the session was last attached. */
  #trouble: string | undefined;
  #place: number;
  #isAdvancing = false;
  #messages = 0;
  /** How many messages were finally refused. */
  #refused = 0;
  #attachment: Attachment | undefined;
  #retry: Timer | undefined;
  #noticeTimer: Timer | undefined;

  constructor(options: AgentSessionOptions, port: AgentPort, deps: AgentDeps) {
    const { journal, clock, random } = deps;
    this.#options = options;
    this.#port = port;
    this.#deps = deps;
    this.#interest = new Interest(options);
    this.#pacing = new Pacing(options, clock, () => this.#sendSoon());
    this.#backoff = new Backoff(retryPauses, random);
    this.#refusals = new Refusals({
      clock,
      again: (news) => this.#tellAgain(news),
      giveUp: (news, reason) => this.#giveUp(news, reason),
    });
    this.transcript = new Transcript(() => clock.date());
    const { after } = options;
    // Before the oldest event, where the cursor is not known any more: that is a gap.
    this.#place = after === undefined ? journal.end : (journal.placeAfter(after) ?? journal.start - 1);
    if (options.isRestored) this.#pacing.offer({ type: 'gap', timestamp: new Date(clock.date()).toISOString() });
    this.#unfollow = journal.follow(() => this.#advanceSoon());
    this.#advanceSoon();
    void this.#attach();
  }

  get id(): string {
    return this.#options.id;
  }

  /**
   * The cursor up to which the agent was notified of everything; undefined while news wait, or before the first event.
   */
  get toldUpTo(): string | undefined {
    const isWaiting = this.#pacing.size > 0 || (this.#attachment?.untold.length ?? 0) > 0;
    return isWaiting ? undefined : this.#deps.journal.at(this.#place - 1)?.cursor;
  }

  status(): SessionStatus {
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
      refused: this.#refused,
    };
  }

  /** Sends these besides the news. Resolves when they have arrived; an UNAVAILABLE error means that they may be sent again. */
  notify(messages: readonly AgentMessage[]): Promise<void> {
    if (!this.#attachment) {
      const state = this.#detail === '' ? this.#state : `${this.#state}: ${this.#detail}`;
      return Promise.reject(new LiveError('UNAVAILABLE', `The session ${this.id} is not attached (${state}).`));
    }
    const arrived = this.#notices.add(messages, this.#deps.clock.now());
    this.#sendSoon();
    return arrived;
  }

  async detach(): Promise<void> {
    await this.#finish('detached', '');
  }

  /** The session is over and will not come back; its transcript can still be read. */
  async #end(reason: string): Promise<void> {
    if (this.#state === 'detached') return;
    this.#options.onOver?.();
    await this.#finish(`detached: ${reason}`, reason);
  }

  async #finish(words: string, detail: string): Promise<void> {
    this.#state = 'detached';
    this.#detail = detail;
    if (!this.transcript.isOver) this.transcript.end(words);
    this.#attachment = undefined;
    this.#retry?.cancel();
    this.#noticeTimer?.cancel();
    this.#notices.lost('It was detached.');
    this.#unfollow();
    this.#refusals.takeDue();
    this.#pacing.close();
    // Not waited for any longer, whether or not it closes properly.
    await inTime(closeMs, this.#port.close(), this.#deps.clock).catch(() => undefined);
  }

  /** Once per tick, after it: announcing a change does not wait for an agent. */
  #advanceSoon(): void {
    if (this.#isAdvancing) return;
    this.#isAdvancing = true;
    this.#deps.clock.defer(() => {
      this.#isAdvancing = false;
      if (this.#state !== 'detached') this.#advance();
    });
  }

  #advance(): void {
    const { journal, clock } = this.#deps;
    if (this.#place < journal.start) {
      // Entries after that position were discarded, so it is not known what changed.
      this.#pacing.offer({ type: 'gap', timestamp: new Date(clock.date()).toISOString() });
      this.#place = journal.start;
    }
    for (; this.#place < journal.end; this.#place += 1) {
      const entry = journal.at(this.#place);
      for (const news of entry ? newsOf(entry.event) : []) if (this.#interest.covers(news)) this.#pacing.offer(news);
    }
    this.#sendSoon();
  }

  #sendSoon(): void {
    const attachment = this.#attachment;
    if (attachment && !attachment.isSending) void this.#sendAll(attachment);
  }

  async #sendAll(attachment: Attachment): Promise<void> {
    const { clock } = this.#deps;
    attachment.isSending = true;
    try {
      for (;;) {
        await this.#sendNotices(attachment);
        const batch = this.#attachment === attachment ? this.#pacing.take() : undefined;
        if (!batch) return;
        attachment.begin(batch);
        for await (const { message, told } of attachment.announcements.of(batch)) {
          if (this.#attachment !== attachment) return;
          const next = attachment.next(told);
          this.#refusals.sent(String(next.message), next.news);
          await inTime(sendMs, this.#port.send(message), clock);
          if (this.#attachment !== attachment) return;
          for (const news of attachment.wasTold(told)) this.#delivered(news);
          this.#messages += 1;
          this.transcript.add(message.kind === 'content' ? 'content' : 'message', message.text);
        }
        attachment.end();
      }
    } catch (error) {
      if (this.#attachment === attachment) this.#lost(wordsOf(error));
    } finally {
      attachment.isSending = false;
    }
  }

  async #sendNotices(attachment: Attachment): Promise<void> {
    for (let notice = this.#dueNotice(); notice; notice = this.#dueNotice()) {
      for (const message of notice.messages) {
        if (this.#attachment !== attachment) return;
        this.#notices.sending(notice, attachment.next(0).message);
        await inTime(sendMs, this.#port.send(message), this.#deps.clock);
        if (this.#attachment !== attachment) return;
        attachment.wasTold(0);
        this.#messages += 1;
        this.transcript.add(message.kind === 'content' ? 'content' : 'message', message.text);
      }
      this.#notices.wasSent(notice, this.#port.confirms === true);
    }
  }

  #dueNotice(): Notice | undefined {
    const notice = this.#notices.next;
    const waitMs = notice ? this.#pacing.turnWaitMs(notice.since) : 0;
    if (waitMs === 0) return notice;
    this.#noticeTimer?.cancel();
    this.#noticeTimer = this.#deps.clock.after(waitMs, () => this.#sendSoon());
    return undefined;
  }

  async #attach(): Promise<void> {
    const { clock, read } = this.#deps;
    this.#become('attaching', '');
    try {
      const open = this.#port.open({
        answering: (isAnswering) => this.#pacing.answering(isAnswering),
        arrived: (messages) => {
          this.#attachment?.arrived(messages);
          this.#notices.arrived(messages);
        },
        refused: (message, reason) => {
          if (!this.#notices.refused(message, reason)) this.#refusals.refused(String(message), reason);
        },
        lost: (reason) => this.#lost(reason),
      });
      await inTime(openMs, open, clock);
    } catch (error) {
      return error instanceof SessionOver ? this.#end(error.message) : this.#lost(wordsOf(error));
    }
    // It may have been detached or lost before it was open.
    if (this.#is('detached')) return this.#port.close();
    if (!this.#is('attaching')) return;
    const announcements = new Announcements({ style: this.#options.announce ?? 'line', read, clock });
    this.#attachment = new Attachment(clock.now(), this.#port.confirms === true, announcements);
    this.#become('attached', '');
    this.#sendSoon();
  }

  #delivered({ timestamp }: News): void {
    const { clock, delivered } = this.#deps;
    delivered(this.id, Math.max(0, clock.date() - Date.parse(timestamp)) / 1000);
  }

  #tellAgain(news: readonly News[]): void {
    this.#attachment?.announcements.forget(news);
    this.#pacing.giveBack(news);
    this.#sendSoon();
  }

  /** Recorded in the transcript, so that it is not mistaken for delivered. */
  #giveUp(news: readonly News[], reason: string): void {
    const { log } = this.#deps;
    this.#refused += news.length;
    this.transcript.add('state', `refused: ${reason}. Not told: ${summaryMessage(news)}`);
    log.warn({ session: this.#options.id, reason }, 'An agent session refused a message; it is not sent again.');
  }

  #lost(reason: string): void {
    if (this.#state === 'detached' || this.#state === 'backoff') return;
    const { clock, log } = this.#deps;
    this.#become('backoff', reason);
    log.warn({ session: this.#options.id, reason }, 'An agent session was lost.');
    const attachment = this.#attachment;
    this.#attachment = undefined;
    this.#notices.lost(reason);
    if (attachment) this.#pacing.giveBack([...this.#refusals.takeDue(), ...attachment.untold]);
    if (attachment && clock.now() - attachment.since >= steadyMs) this.#backoff.reset();
    this.#pacing.answering(false);
    this.#retry = clock.after(this.#backoff.next(), () => void this.#attach());
  }

  #is(state: AgentState): boolean {
    return this.#state === state;
  }

  #become(state: AgentState, detail: string): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#detail = detail;
    const words = detail === '' ? state : `${state}: ${detail}`;
    // Continuing trouble is recorded once: it must not displace messages from the transcript.
    const isKnown = this.#trouble !== undefined && (state === 'attaching' || words === this.#trouble);
    if (state === 'attached') this.#trouble = undefined;
    if (state === 'backoff') this.#trouble = words;
    if (!isKnown) this.transcript.add('state', words);
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
