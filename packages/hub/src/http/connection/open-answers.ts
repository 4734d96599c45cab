// The open responses and their callers: streams, slow responses, and those that their clients do not read. Unread bytes
// stay in memory, so they count as `unreadBytes` of the caller, and a response beyond the limit is closed. A request
// over a few KB counts too, until its response is closed and its work is done.
import type { ServerResponse } from 'node:http';
import { type Caller, type Clock, type Hold, type Timer, LimitExceeded } from '@tidings/live';
import { SendProgress, atExpiry, waitingBytes, whenClosed } from '@tidings/live/internal';
import { every } from '@tidings/live/time';
import type { HubQuotas } from '../../access/hub-quotas.ts';
import type { Admitted } from '../admission/admission.ts';

/** Smaller responses mostly fit into the buffers of the system, and are not counted. */
const countedFrom = 64 * 1024;
const lookEveryMs = 500;
/** A request is in memory twice: as text and parsed. */
const requestCopies = 2;
const longestUnreadMs = 10 * 60_000;

interface Open {
  readonly admitted: Admitted;
  /** The bytes of its request, where they are counted. */
  request?: Hold;
  isClosed: boolean;
  /** Whether the request is still worked on, which may be long after its client has disconnected. */
  isBusy: boolean;
  /** How many bytes are kept in memory until the response is closed, if known. */
  kept: number;
  unread?: {
    readonly held: Hold;
    bytes: number;
    readonly progress: SendProgress;
    /** Since when the client has read nothing. */
    since: number;
  };
}

interface OpenAnswersDeps {
  quotas: HubQuotas;
  clock: Clock;
}

export class OpenAnswers {
  readonly #deps: OpenAnswersDeps;
  readonly #open = new Map<ServerResponse, Open>();
  readonly #looking: Timer;

  constructor(deps: OpenAnswersDeps) {
    this.#deps = deps;
    this.#looking = every(deps.clock, lookEveryMs, () => this.#look());
  }

  add(res: ServerResponse, admitted: Admitted): void {
    const open: Open = { admitted, isClosed: false, isBusy: false, kept: 0 };
    this.#open.set(res, open);
    whenClosed(res, () => {
      open.isClosed = true;
      this.#open.delete(res);
      open.unread?.held.release();
      releaseRequest(open);
    });
  }

  /** Works on the request of this response. */
  async busy(res: ServerResponse, work: () => Promise<void>): Promise<void> {
    const open = this.#open.get(res);
    if (open === undefined) return work();
    open.isBusy = true;
    try {
      await work();
    } finally {
      open.isBusy = false;
      releaseRequest(open);
    }
  }

  /** Counts bytes that are kept in memory until this response is closed. Throws if there is no room for them. */
  keep(res: ServerResponse, bytes: number): void {
    const open = this.#open.get(res);
    if (open === undefined) return;
    this.#count(open, bytes);
    open.kept = bytes;
  }

  /** Does the same for the request, which may take hours. */
  keepRequest(res: ServerResponse, bytes: number): void {
    const open = this.#open.get(res);
    if (open === undefined) return;
    const held = bytes * requestCopies;
    open.request = this.#deps.quotas.hold({ auth: open.admitted.principal }, 'unreadBytes', held);
  }

  /** Counts a response as an open stream of its caller, and closes it when the caller's access token expires. */
  holdStream(res: ServerResponse, caller: Caller): void {
    const { quotas, clock } = this.#deps;
    const held = quotas.hold(caller, 'streams', 1);
    const expiry = atExpiry(clock, caller, () => res.destroy());
    whenClosed(res, () => {
      expiry?.cancel();
      held.release();
    });
  }

  /** Closes the responses of callers that would no longer be admitted. */
  review(isLetIn: (admitted: Admitted) => boolean): void {
    for (const [res, { admitted }] of this.#open) if (!isLetIn(admitted)) res.destroy();
  }

  close(): void {
    this.#looking.cancel();
  }

  #look(): void {
    const oldest = this.#deps.clock.now() - longestUnreadMs;
    for (const [res, open] of this.#open) {
      const bytes = Math.max(open.kept, res.writableLength);
      if (bytes === 0) {
        open.unread?.held.release();
        delete open.unread;
        continue;
      }
      const hasRoom = this.#hasRoom(open, bytes);
      const { unread } = open;
      if (unread?.progress.look(waitingBytes(res))) unread.since = this.#deps.clock.now();
      if (!hasRoom || (unread !== undefined && unread.since < oldest)) res.destroy();
    }
  }

  #hasRoom(open: Open, bytes: number): boolean {
    try {
      this.#count(open, bytes);
      return true;
    } catch (error) {
      if (error instanceof LimitExceeded) return false;
      throw error;
    }
  }

  #count(open: Open, all: number): void {
    const { quotas, clock } = this.#deps;
    const bytes = all < countedFrom ? 0 : all;
    const caller = { auth: open.admitted.principal };
    const unread = (open.unread ??= {
      held: quotas.hold(caller, 'unreadBytes', 0),
      bytes: 0,
      progress: new SendProgress(),
      since: clock.now(),
    });
    if (bytes > unread.bytes) unread.held.add(bytes - unread.bytes);
    else unread.held.remove(unread.bytes - bytes);
    unread.bytes = bytes;
  }
}

function releaseRequest({ request, isClosed, isBusy }: Open): void {
  if (isClosed && !isBusy) request?.release();
}
