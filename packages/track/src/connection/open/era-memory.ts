// Remembers which era each server spoke, and when. A server of the 2025 era is then probed once a day and not at every
// start; once a day, because servers are updated. Also remembers whether a server sends requests to its client, which
// shows only when it does.
import type { Clock } from '@tidings/live';
import { addressDigest } from '../../config/config-change.ts';
import type { ServerEntry } from '../../config/config.ts';
import type { Era } from '../session/session.ts';

const freshMs = 24 * 60 * 60 * 1000;

export interface RememberedEra {
  era: Era;
  /** Milliseconds since the epoch. */
  at: number;
  /** Whether the server has sent requests to its client, in the 2025 era. */
  sendsRequests: boolean;
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

  /**
   * `legacy` if the probe can be skipped. A modern server is asked for its capabilities anyway, so nothing is saved
   * there.
   */
  get(entry: ServerEntry): 'legacy' | undefined {
    const known = this.#eras.get(addressDigest(entry));
    if (this.#doubted.has(addressDigest(entry))) return undefined;
    const isFresh = known !== undefined && Math.abs(this.#clock.date() - known.at) < freshMs;
    return isFresh && known.era === 'legacy' ? 'legacy' : undefined;
  }

  /** Forgets the era until the next success: after any failure the server is probed again. */
  doubt(entry: ServerEntry): void {
    this.#doubted.add(addressDigest(entry));
  }

  seen(entry: ServerEntry): RememberedEra | undefined {
    return this.#eras.get(addressDigest(entry));
  }

  set(entry: ServerEntry, era: Era): void {
    this.#doubted.delete(addressDigest(entry));
    const known = this.#eras.get(addressDigest(entry));
    // The day starts at the last probe, not at the last start.
    if (known?.era === era && Math.abs(this.#clock.date() - known.at) < freshMs) return;
    this.#set(entry, { era, at: this.#clock.date(), sendsRequests: known?.sendsRequests === true });
  }

  /** Records that the server sends requests to its client. */
  noteClientRequest(entry: ServerEntry): void {
    const known = this.#eras.get(addressDigest(entry));
    // With `at: 0` the era itself counts as expired, since there was no probe.
    if (!known?.sendsRequests) this.#set(entry, { era: 'legacy', at: 0, ...known, sendsRequests: true });
  }

  #set(entry: ServerEntry, seen: RememberedEra): void {
    this.#eras.set(addressDigest(entry), seen);
    this.#changed(addressDigest(entry), seen);
  }
}
