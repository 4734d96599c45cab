// Notices when a modern client has left, which the protocol does not say: the listen streams of a client that sends its
// mark as a header have ended, and none is opened again here for a while. `tidings connect` sends it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock, Timer } from '@tidings/live';
import { whenClosed } from '@tidings/live/internal';
import { isMark } from '../../gateway/relay/relayed-request.ts';

/** The mark that the client's requests have in `_meta`. */
export const callerHeader = 'tidings-caller';
/** A stream that broke is opened again within this time. */
const returnMs = 30_000;
/** Further clients of a subject are not followed: a client may send another mark with each request. */
const mostOfSubject = 1000;

export interface MarkedStreamsDeps {
  clock: Clock;
  /** `since`: the time of the clock at which its last stream ended. */
  left(this: void, subject: string, mark: string, since: number): void;
}

interface Streams {
  open: number;
  /** Set while none is open. */
  leaving: Timer | undefined;
}

export class MarkedStreams {
  readonly #deps: MarkedStreamsDeps;
  /** The open streams by subject and mark. */
  readonly #clients = new Map<string, Map<string, Streams>>();

  constructor(deps: MarkedStreamsDeps) {
    this.#deps = deps;
  }

  /** Call it with every admitted request. */
  add(req: Pick<IncomingMessage, 'headers'>, res: ServerResponse, subject: string): void {
    const { [callerHeader]: mark, 'mcp-method': method } = req.headers;
    if (!isMark(mark) || method !== 'subscriptions/listen') return;
    const clients = this.#clients.get(subject) ?? new Map<string, Streams>();
    const known = clients.get(mark);
    if (known === undefined && clients.size >= mostOfSubject) return;
    const streams = known ?? { open: 0, leaving: undefined };
    this.#clients.set(subject, clients.set(mark, streams));
    streams.leaving?.cancel();
    streams.leaving = undefined;
    streams.open += 1;
    whenClosed(res, () => {
      streams.open -= 1;
      const isClosed = this.#clients.get(subject)?.get(mark) !== streams;
      if (streams.open > 0 || isClosed) return;
      const { clock, left } = this.#deps;
      const since = clock.now();
      streams.leaving = clock.after(returnMs, () => {
        clients.delete(mark);
        if (clients.size === 0) this.#clients.delete(subject);
        left(subject, mark, since);
      });
    });
  }

  close(): void {
    for (const clients of this.#clients.values()) {
      for (const { leaving } of clients.values()) leaving?.cancel();
    }
    this.#clients.clear();
  }
}
