// Slows down guessing of tokens. After a few wrong ones an address is paused, longer each time; meanwhile no token from
// there is checked, so a guess cannot be tested. Other addresses are not paused: while many addresses guess at once, each
// is only allowed fewer mistakes.
import { isIPv6 } from 'node:net';
import { type Clock, LimitExceeded } from '@tidings/live';
import { BoundedMap } from '@tidings/live/portable';
import { backoffMs } from '@tidings/live/time';
import { digestOf } from '@tidings/live/internal';

/** Mistakes of one address before its first pause, usually and while many addresses guess. */
const freeMistakes = 5;
const freeInAttack = 1;
/** This many wrong tokens within a minute, from all addresses together, count as an attack. */
const attackRate = 100;
const pauses = { firstMs: 1000, longestMs: 60_000 };
/** After this time without a mistake, an address has a clean record. */
const forgivenMs = 10 * 60_000;
const mostAddresses = 10_000;
/**
 * How many wrong tokens of one address are remembered: its programs and browsers may still use tokens that were
 * changed.
 */
const mostKnown = 20;

interface Mistakes {
  count: number;
  lastAt: number;
  pausedUntil: number;
  /** The latest wrong tokens: repeating one gives no information, so it does not count. */
  known: ReadonlySet<string>;
}

export interface Guess {
  address: string;
  /** A token, or a browser session, which is signed with one. */
  token: string;
}

export class GuessLimit {
  readonly #clock: Clock;
  /** The addresses in the order of their last mistake, the oldest first. */
  readonly #byAddress = new BoundedMap<string, Mistakes>(mostAddresses);
  #minute = 0;
  #inMinute = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Throws while this token must not be checked. */
  assertNotPaused(guess: Guess): void {
    const waitMs = this.pauseFor(guess);
    if (waitMs === 0) return;
    const seconds = Math.ceil(waitMs / 1000);
    const message = `Too many wrong tokens came from your address: try again in ${seconds} s.`;
    throw new LimitExceeded(message, seconds);
  }

  /** How long this token must not be checked; 0 if it may be. */
  pauseFor({ address, token }: Guess): number {
    const mistakes = this.#byAddress.get(groupOf(address));
    if (mistakes === undefined || mistakes.known.has(digestOf(token))) return 0;
    return Math.max(0, mistakes.pausedUntil - this.#clock.now());
  }

  /** Counts a wrong token. Returns how long its address pauses now; undefined if the token was just refused before. */
  wrong({ address, token }: Guess): { pauseMs: number; mistakes: number } | undefined {
    const now = this.#clock.now();
    const group = groupOf(address);
    const digest = digestOf(token);
    const before = this.#byAddress.get(group);
    if (before?.known.has(digest)) return undefined;
    const earlier = before === undefined || now - before.lastAt > forgivenMs ? 0 : before.count;
    const count = earlier + 1;
    const excess = count - (this.#isAttack(now) ? freeInAttack : freeMistakes);
    const pauseMs = excess < 0 ? 0 : backoffMs(excess + 1, pauses);
    const latest = [...(before?.known ?? []), digest].slice(-mostKnown);
    this.#byAddress.set(group, { count, lastAt: now, pausedUntil: now + pauseMs, known: new Set(latest) });
    return { pauseMs, mistakes: count };
  }

  #isAttack(now: number): boolean {
    const minute = Math.floor(now / 60_000);
    if (minute !== this.#minute) this.#inMinute = 0;
    this.#minute = minute;
    this.#inMinute += 1;
    return this.#inMinute > attackRate;
  }
}

/** A client with one address of a /64 network can use all of them. */
function groupOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.toLowerCase().split('%')[0]?.split('::') ?? [];
  const start = head.split(':').filter(Boolean);
  const end = (tail ?? '').split(':').filter(Boolean);
  const gap = tail === undefined ? 0 : Math.max(0, 8 - start.length - end.length);
  const all = [...start, ...Array.from({ length: gap }, () => '0'), ...end];
  return all
    .slice(0, 4)
    .map((each) => each.replace(/^0+(?=.)/, ''))
    .join(':');
}
