// Quotas per subject of a credential. Two bounds hold for each kind: what one subject may use, and what all may use
// together. Of the latter every known subject has a share that the others cannot take: half of it is divided evenly,
// and the other half is given out in the order of requests.
//
//   all: 10,000   subjects: 2   share of each: 2500   one subject alone may use: 7500
import { BoundedMap } from '../portable/bounded-map.ts';
import { aFunction, anObject, checkOptions, having } from '../base/check-options.ts';
import type { Clock } from '../time/clock.ts';
import { Later } from '../time/later.ts';
import { type BucketLimits, TokenBucket } from '../time/token-bucket.ts';
import { LimitExceeded } from '../base/error.ts';
import type { Caller } from '../resource/caller.ts';
import type { HeldKind, Hold, Quotas } from './quotas.ts';

export type Counted<Kind extends string> = Kind | 'requestsInFlight';

/** What one subject may use. */
export type SubjectLimits<Kind extends string> = Readonly<Record<Counted<Kind> | 'requestsPerSecond', number>>;

/** The limits of a subject, and those that differ. */
export interface SubjectQuotasOptions<Kind extends string> {
  clock: Clock;
  /** The limits of all subjects together. */
  totals: Readonly<Record<Counted<Kind>, number>>;
  limitsOf(this: void, subject: string): SubjectLimits<Kind>;
  /** The subjects with a reserved share. */
  subjects(this: void): Iterable<string>;
}

const quotasChecks = { clock: having('now', 'after'), totals: anObject, limitsOf: aFunction, subjects: aFunction };

/** A request that takes longer counts as a stream from then on, if there is room: it is waiting for something. */
const longRequestMs = 1000;
/** `retryAfter` of a refused request: when another one will end is not known. */
const requestRetrySeconds = 1;
const heldRetrySeconds = 5;

/** How many seconds of its request rate a subject may use at once. */
const burstSeconds = 5;
/** Bounds the number of subjects whose request rate is kept. */
const mostBuckets = 10_000;

/** One request, or the requests of a batch. */
interface Request {
  subject: string;
  count: number;
  since: number;
  kind: 'requestsInFlight' | 'streams';
}

/**
 * Limits for each subject of a credential, with a share reserved for each.
 *
 * @example
 * const limits = { sessions: 20, streams: 20, watchedUris: 1000, watchedCharacters: 1e6, requestsInFlight: 50 };
 * const limitsOf = () => ({ ...limits, requestsPerSecond: 100 });
 * new SubjectQuotas({ clock: systemClock, totals: limits, limitsOf, subjects: () => tokens.keys() });
 */
export class SubjectQuotas<Kind extends string = HeldKind> implements Quotas<Kind | 'streams'> {
  readonly #options: SubjectQuotasOptions<Kind | 'streams'>;
  readonly #used = new Map<string, Map<string, number>>();
  readonly #totals = new Map<string, number>();
  /** In the order of the last request. */
  readonly #buckets = new BoundedMap<string, TokenBucket>(mostBuckets);
  /** Requests in progress that do not count as streams yet, in order of arrival. */
  readonly #short = new Set<Request>();
  readonly #sweeping: Later;

  constructor(options: SubjectQuotasOptions<Kind | 'streams'>) {
    checkOptions('SubjectQuotas', options, quotasChecks, Object.keys(quotasChecks));
    this.#options = options;
    this.#sweeping = new Later(options.clock, () => this.#sweep());
  }

  request({ auth }: Pick<Caller, 'auth'>, count = 1): () => void {
    const { clock, limitsOf } = this.#options;
    const subject = auth?.subject ?? '';
    this.#take(subject, 'requestsInFlight', count);
    const { requestsPerSecond } = limitsOf(subject);
    const rate = { burst: requestsPerSecond * burstSeconds, perSecond: requestsPerSecond };
    // A batch that is larger than the bucket needs a full one.
    const wait = () => this.#bucketOf(subject, rate).take(Math.min(count, rate.burst));
    const waitMs = rate.burst > 0 ? wait() : heldRetrySeconds * 1000;
    if (waitMs > 0) {
      this.#give(subject, 'requestsInFlight', count);
      throw tooFast(requestsPerSecond, waitMs / 1000);
    }
    const request: Request = { subject, count, since: clock.now(), kind: 'requestsInFlight' };
    this.#short.add(request);
    this.#sweeping.request(longRequestMs);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#short.delete(request);
      this.#give(subject, request.kind, count);
    };
  }

  hold({ auth }: Pick<Caller, 'auth'>, kind: Kind | 'streams', count: number): Hold {
    const subject = auth?.subject ?? '';
    let held = 0;
    const add = (more: number) => {
      if (more > 0) this.#take(subject, kind, more);
      held += more;
    };
    const remove = (less: number) => {
      const given = Math.min(held, less);
      held -= given;
      this.#give(subject, kind, given);
    };
    add(count);
    return { add, remove, release: () => remove(held) };
  }

  /** How much of a kind a subject uses. */
  used(subject: string, kind: Counted<Kind | 'streams'>): number {
    return this.#used.get(kind)?.get(subject) ?? 0;
  }

  #take(subject: string, kind: Counted<Kind | 'streams'>, count: number): void {
    const { limitsOf, totals } = this.#options;
    const own = this.used(subject, kind);
    const limit = limitsOf(subject)[kind];
    const retry = kind === 'requestsInFlight' ? requestRetrySeconds : heldRetrySeconds;
    if (own + count > limit) {
      const message = `Your quota of ${kind} is ${limit}, of which ${own} are in use: end some, or try again in ${retry} s.`;
      throw new LimitExceeded(message, retry);
    }
    const all = this.#totals.get(kind) ?? 0;
    if (all + count > totals[kind] - this.#keptFrom(subject, kind, count)) {
      const message = `All ${kind} that are not kept for others are in use (${own} by you): end some, or try again in ${retry} s.`;
      throw new LimitExceeded(message, retry);
    }
    this.#count(subject, kind, count);
  }

  /** The unused shares of other subjects; 0 for a subject within its own share. */
  #keptFrom(subject: string, kind: Counted<Kind | 'streams'>, count: number): number {
    const subjects = new Set(this.#options.subjects()).add(subject);
    const share = Math.floor(this.#options.totals[kind] / 2 / subjects.size);
    if (this.used(subject, kind) + count <= share) return 0;
    subjects.delete(subject);
    return [...subjects].reduce((sum, other) => sum + Math.max(0, share - this.used(other, kind)), 0);
  }

  #give(subject: string, kind: Counted<Kind | 'streams'>, count: number): void {
    this.#count(subject, kind, -count);
  }

  #count(subject: string, kind: Counted<Kind | 'streams'>, by: number): void {
    const used = this.#used.get(kind) ?? new Map<string, number>();
    this.#used.set(kind, used);
    const now = (used.get(subject) ?? 0) + by;
    if (now === 0) used.delete(subject);
    else used.set(subject, now);
    this.#totals.set(kind, (this.#totals.get(kind) ?? 0) + by);
  }

  /** The bucket of a subject, with this rate, which may have changed since the last request. */
  #bucketOf(subject: string, rate: BucketLimits): TokenBucket {
    const bucket = this.#buckets.get(subject) ?? new TokenBucket(this.#options.clock, rate);
    this.#buckets.set(subject, bucket);
    bucket.limit(rate);
    return bucket;
  }

  #sweep(): void {
    const now = this.#options.clock.now();
    const isFull = new Set<string>();
    for (const request of this.#short) {
      const { subject, count, since } = request;
      if (now - since < longRequestMs) break;
      if (isFull.has(subject)) continue;
      try {
        this.#take(subject, 'streams', count);
      } catch {
        isFull.add(subject);
        continue;
      }
      this.#give(subject, 'requestsInFlight', count);
      request.kind = 'streams';
      this.#short.delete(request);
    }
    if (this.#short.size > 0) this.#sweeping.request(longRequestMs);
  }
}

function tooFast(perSecond: number, waitSeconds: number): LimitExceeded {
  const seconds = Math.max(1, Math.ceil(waitSeconds));
  const message = `Your quota of requestsPerSecond is ${perSecond}: try again in ${seconds} s.`;
  return new LimitExceeded(message, seconds);
}
