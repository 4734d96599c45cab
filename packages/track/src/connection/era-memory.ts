// Which era a server spoke, and when that was seen. A 2025-era server need not be probed at every start, but now
// and then, since servers are updated. Also whether it asks its client, which is known only once it has tried.
import type { Clock } from '@tidings/live';
import { addressOf } from '../config/config-change.ts';
import type { ServerEntry } from '../config/config.ts';
import type { Era } from './session.ts';

const askAgainMs = 24 * 60 * 60 * 1000;

export interface RememberedEra {
  era: Era;
  /** Milliseconds since the epoch. */
  at: number;
  /** Whether it has shown, in the 2025 era, that it asks its client for things. */
  asks: boolean;
}

export class EraMemory {
  readonly #clock: Clock;
  readonly #eras: Map<string, RememberedEra>;
  readonly #changed: (address: string, era: RememberedEra) => void;
  /** Servers that did not answer in the remembered era. */
  readonly #doubted = new Set<string>();

  constructor(
    clock: Clock,
    eras: ReadonlyMap<string, RememberedEra>,
    changed: (address: string, era: RememberedEra) => void,
  ) {
    this.#clock = clock;
    this.#eras = new Map(eras);
    this.#changed = changed;
  }

  /** Only the 2025 era saves a probe: a modern server is asked for its capabilities in any case. */
  get(entry: ServerEntry): 'legacy' | undefined {
    const known = this.#eras.get(addressOf(entry));
    if (this.#doubted.has(addressOf(entry))) return undefined;
    const isFresh = known !== undefined && Math.abs(this.#clock.date() - known.at) < askAgainMs;
    return isFresh && known.era === 'legacy' ? 'legacy' : undefined;
  }

  /** The remembered era is a hint: after any failure the server is probed again. */
  doubt(entry: ServerEntry): void {
    this.#doubted.add(addressOf(entry));
  }

  seen(entry: ServerEntry): RememberedEra | undefined {
    return this.#eras.get(addressOf(entry));
  }

  set(entry: ServerEntry, era: Era): void {
    this.#doubted.delete(addressOf(entry));
    const known = this.#eras.get(addressOf(entry));
    // The day counts from the last probe, not from the last start.
    if (known?.era === era && Math.abs(this.#clock.date() - known.at) < askAgainMs) return;
    this.#set(entry, { era, at: this.#clock.date(), asks: known?.asks === true });
  }

  /** It has shown that it asks its client for things. */
  noteAsks(entry: ServerEntry): void {
    const known = this.#eras.get(addressOf(entry));
    // Without a probe the era is not remembered: its day is over.
    if (!known?.asks) this.#set(entry, { era: 'legacy', at: 0, ...known, asks: true });
  }

  #set(entry: ServerEntry, seen: RememberedEra): void {
    this.#eras.set(addressOf(entry), seen);
    this.#changed(addressOf(entry), seen);
  }
}
