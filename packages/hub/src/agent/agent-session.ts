// One agent session. It reads the journal from its own position, so that a slow or lost session delays no other and
// misses no change.
import { type Clock, LiveError, type Log, type Timer } from '@tidings/live';
import { messageOf } from '@tidings/live/portable';
import { Backoff } from '@tidings/live/time';
import {
  type InterestOptions,
  type PacingOptions,
  Interest,
  type News,
  Pacing,
  RejectedMessages,
  summaryMessage,
} from '@tidings/client/tell';
import type { Journal } from '@tidings/track';
import type { SessionStatus } from '@tidings/client/contract';
import { retryPauses } from '@tidings/track/internal';
import type { AgentMessage, AgentPort } from './port/agent-port.ts';
import { type AnnounceStyle, type AnnouncementOptions, Announcements } from './message/announcement.ts';
import { Attachment } from './attachment.ts';
import { inTime } from './in-time.ts';
import { JournalNews, type JournalNewsDeps, gapNow } from './journal-news.ts';
import { type Notice, Notices } from './notices.ts';
import { SessionOver } from './port/session-over.ts';
import { SessionState } from './session-state.ts';
import { Transcript } from './transcript.ts';

export interface AgentSessionOptions extends PacingOptions, InterestOptions {
  id: string;
  announce?: AnnounceStyle | undefined;
  /** The cursor of the last event that the agent was notified of before. Default: only events from now on. */
  after?: string | undefined;
  /** Attached before a restart of the hub, so it may have missed anything. */
  isRestored?: boolean | undefined;
  /** Called when the session has ended for good. */
  onOver?: (() => void) | undefined;
}

export interface AgentDeps {
  journal: Journal;
  read: AnnouncementOptions['read'];
  isForAgents?: JournalNewsDeps['isForAgents'];
  clock: Clock;
  random: () => number;
  /** Called with the time between an event and the delivery of its line. */
  delivered(this: void, session: string, seconds: number): void;
  log: Log;
}

/** A session that does not open, accept a message or close within this time counts as lost. */
const openMs = 20_000;
const sendMs = 30_000;
const closeMs = 1000;
/** After a session that lasted this long, the pauses before reconnecting start short again. */
const steadyMs = 30_000;

export class AgentSession {
  readonly transcript: Transcript;
  readonly #options: AgentSessionOptions;
  readonly #port: AgentPort;
  readonly #deps: AgentDeps;
  readonly #interest: Interest;
  readonly #pacing: Pacing;
  readonly #backoff: Backoff;
  readonly #rejectedMessages: RejectedMessages;
  readonly #notices = new Notices();
  readonly #news: JournalNews;
  readonly #state: SessionState;
  #messages = 0;
  /** The number of messages that were refused for good. */
  #refused = 0;
  #attachment: Attachment | undefined;
  #retry: Timer | undefined;
  #noticeTimer: Timer | undefined;

  constructor(options: AgentSessionOptions, port: AgentPort, deps: AgentDeps) {
    const { journal, clock, random, isForAgents } = deps;
    this.#options = options;
    this.#port = port;
    this.#deps = deps;
    this.#interest = new Interest(options);
    this.#pacing = new Pacing(options, clock, () => this.#sendSoon());
    this.#backoff = new Backoff(retryPauses, random);
    this.#rejectedMessages = new RejectedMessages({
      clock,
      again: (news) => this.#tellAgain(news),
      giveUp: (news, reason) => this.#giveUp(news, reason),
    });
    this.transcript = new Transcript(() => clock.date());
    this.#state = new SessionState(this.transcript);
    if (options.isRestored) this.#pacing.offer(gapNow(clock));
    this.#news = new JournalNews(options.after, {
      journal,
      clock,
      ...(isForAgents && { isForAgents }),
      offer: (news) => {
        if (this.#interest.covers(news)) this.#pacing.offer(news);
      },
      caughtUp: () => this.#sendSoon(),
    });
    void this.#attach();
  }

  get id(): string {
    return this.#options.id;
  }

  /** Whether it has ended for good. */
  get isOver(): boolean {
    return this.#state.is('detached');
  }

  /**
   * The cursor up to which the agent was notified of everything; undefined while news wait, or before the first event.
   */
  get notifiedUpTo(): string | undefined {
    const isWaiting = this.#pacing.size > 0 || (this.#attachment?.undelivered.length ?? 0) > 0;
    return isWaiting ? undefined : this.#news.cursor;
  }

  status(): SessionStatus {
    const { id, when = 'now', announce = 'line', perMinute, servers, uris } = this.#options;
    return {
      id,
      kind: this.#port.kind,
      state: this.#state.name,
      detail: this.#state.detail,
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

  /**
   * Sends these messages in addition to the news. Resolves when they have arrived; after an UNAVAILABLE error they may
   * be sent again.
   */
  notify(messages: readonly AgentMessage[]): Promise<void> {
    if (!this.#attachment) {
      const state = this.#state.toString();
      return Promise.reject(new LiveError('UNAVAILABLE', `The session ${this.id} is not attached (${state}).`));
    }
    const arrived = this.#notices.add(messages, this.#deps.clock.now());
    this.#sendSoon();
    return arrived;
  }

  async detach(): Promise<void> {
    await this.#finish('');
  }

  /** Ends the session for good; its transcript can still be read. */
  async #end(reason: string): Promise<void> {
    if (this.#state.is('detached')) return;
    this.#options.onOver?.();
    await this.#finish(reason);
  }

  async #finish(detail: string): Promise<void> {
    this.#state.detach(detail);
    this.#attachment = undefined;
    this.#retry?.cancel();
    this.#noticeTimer?.cancel();
    this.#notices.lost('It was detached.');
    this.#news.close();
    this.#rejectedMessages.takeDue();
    this.#pacing.close();
    // Closing has a time limit, and may fail without effect.
    await inTime(closeMs, this.#port.close(), this.#deps.clock).catch(() => undefined);
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
        for await (const { message, completed } of attachment.announcements.of(batch)) {
          if (this.#attachment !== attachment) return;
          const next = attachment.next(completed);
          this.#rejectedMessages.sent(String(next.message), next.news);
          await inTime(sendMs, this.#port.send(message), clock);
          if (this.#attachment !== attachment) return;
          for (const news of attachment.messageSent(completed)) this.#delivered(news);
          this.#messages += 1;
          this.transcript.add(message.kind === 'content' ? 'content' : 'message', message.text);
        }
        attachment.end();
      }
    } catch (error) {
      if (this.#attachment === attachment) this.#lost(messageOf(error));
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
        attachment.messageSent(0);
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
    this.#state.become('attaching', '');
    try {
      const open = this.#port.open({
        answering: (isAnswering) => this.#pacing.answering(isAnswering),
        arrived: (messages) => {
          this.#attachment?.arrived(messages);
          this.#notices.arrived(messages);
        },
        refused: (message, reason) => {
          if (!this.#notices.refused(message, reason)) this.#rejectedMessages.rejected(String(message), reason);
        },
        lost: (reason) => this.#lost(reason),
      });
      await inTime(openMs, open, clock);
    } catch (error) {
      return error instanceof SessionOver ? this.#end(error.message) : this.#lost(messageOf(error));
    }
    // The session may have been detached or lost before it was open.
    if (this.#state.is('detached')) return this.#port.close();
    if (!this.#state.is('attaching')) return;
    const announcements = new Announcements({ style: this.#options.announce ?? 'line', read, clock });
    this.#attachment = new Attachment(clock.now(), this.#port.confirms === true, announcements);
    this.#state.become('attached', '');
    this.#sendSoon();
  }

  #delivered({ timestamp }: News): void {
    const { clock, delivered } = this.#deps;
    delivered(this.id, Math.max(0, clock.date() - Date.parse(timestamp)) / 1000);
  }

  #tellAgain(news: readonly News[]): void {
    this.#attachment?.announcements.forget(news);
    this.#pacing.requeue(news, 1);
    this.#sendSoon();
  }

  /** Records in the transcript that the news were not delivered. */
  #giveUp(news: readonly News[], reason: string): void {
    const { log } = this.#deps;
    this.#refused += news.length;
    this.transcript.add('state', `refused: ${reason}. Not told: ${summaryMessage(news)}`);
    log.warn({ session: this.#options.id, reason }, 'An agent session refused a message; it is not sent again.');
  }

  #requeue({ undelivered, undeliveredMessages }: Attachment): void {
    const messages = this.#rejectedMessages.waiting + undeliveredMessages;
    this.#pacing.requeue([...this.#rejectedMessages.takeDue(), ...undelivered], messages);
  }

  #lost(reason: string): void {
    if (this.#state.is('detached') || this.#state.is('backoff')) return;
    const { clock, log } = this.#deps;
    this.#state.become('backoff', reason);
    log.warn({ session: this.#options.id, reason }, 'An agent session was lost.');
    const attachment = this.#attachment;
    this.#attachment = undefined;
    this.#notices.lost(reason);
    if (attachment) this.#requeue(attachment);
    if (attachment && clock.now() - attachment.since >= steadyMs) this.#backoff.reset();
    this.#pacing.answering(false);
    this.#retry = clock.after(this.#backoff.next(), () => void this.#attach());
  }
}
