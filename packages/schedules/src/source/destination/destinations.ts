// The destinations by name, and the one that each topic or schedule uses.
import { LiveError } from '@tidings/live';
import { quotedValue } from '../../model/refusal.ts';
import { type RetryRules, usualRetries } from '../../model/tries.ts';
import { DeliveryError } from './delivery-error.ts';
import type { Destination, Push } from './destination.ts';
import { type DestinationsFile, usualName } from './destination-settings.ts';
import { type OpenDeps, type OpenedDestination, openDestination } from './open-destination.ts';

export interface NamedDestination extends OpenedDestination {
  retries: RetryRules;
}

export interface ShownDestination {
  name: string;
  kind: string;
  to: string;
  /** Why this process cannot use it. */
  problem?: string | undefined;
}

export class Destinations {
  readonly #named: ReadonlyMap<string, NamedDestination>;
  readonly #topics: ReadonlyMap<string, string>;

  constructor(named: ReadonlyMap<string, NamedDestination>, topics: Readonly<Record<string, string>> = {}) {
    this.#named = named;
    this.#topics = new Map(Object.entries(topics));
  }

  /** A single destination for every topic. */
  static only(destination: Destination, name = usualName): Destinations {
    return new Destinations(new Map([[name, { destination, retries: usualRetries }]]), { '*': name });
  }

  /** The name of the destination for a topic, unless another is chosen. */
  nameFor(topic: string, chosen?: string | null): string {
    return chosen ?? this.#topics.get(topic) ?? this.#topics.get('*') ?? usualName;
  }

  /** The destination in words, for an answer. */
  wordsFor(topic: string, chosen?: string | null): string {
    const name = this.nameFor(topic, chosen);
    const named = this.#named.get(name);
    if (!named) return `${name}, which is not among the destinations that are set here`;
    const { destination, problem } = named;
    return problem === undefined ? destination.words : `${destination.words} (not usable by this process: ${problem})`;
  }

  retriesFor(topic: string, chosen: string | null): RetryRules {
    return this.#named.get(this.nameFor(topic, chosen))?.retries ?? usualRetries;
  }

  /** Whether this process can send there. */
  isUsable(topic: string, chosen: string | null): boolean {
    const named = this.#named.get(this.nameFor(topic, chosen));
    return named !== undefined && named.problem === undefined;
  }

  async send(push: Push, chosen?: string | null): Promise<void> {
    const name = this.nameFor(push.topic, chosen);
    const named = this.#named.get(name);
    if (named && named.problem === undefined) return named.destination.send(push);
    const problem = named ? named.problem : `${quotedValue(name)} is not among the destinations that are set here`;
    // Temporary: a process with other settings may make the next attempt.
    throw new DeliveryError('UNAVAILABLE', `Not sent: ${problem}.`, { isTemporary: true });
  }

  check(name: string): string {
    if (this.#named.has(name)) return name;
    const names = [...this.#named.keys()].join(', ');
    throw new LiveError(
      'INVALID_PARAMS',
      `There is no destination ${quotedValue(name)}. There are: ${names}. Others are added in destinations.json, not by tools.`,
    );
  }

  shown(): { destinations: ShownDestination[]; topics: Record<string, string>; default: string } {
    const destinations = [...this.#named].map(([name, named]) => shownAs(name, named));
    const topics = Object.fromEntries([...this.#topics].filter(([topic]) => topic !== '*'));
    return { destinations, topics, default: this.nameFor('') };
  }
}

interface DestinationDeps extends OpenDeps {
  /** The destination used without settings. */
  usual: Destination;
}

export function destinationsOf(file: DestinationsFile | undefined, deps: DestinationDeps): Destinations {
  const named = new Map<string, NamedDestination>([[usualName, { destination: deps.usual, retries: usualRetries }]]);
  for (const [name, settings] of Object.entries(file?.destinations ?? {})) {
    const { tries = usualRetries.tries, pause_seconds } = settings;
    const pauseMs = pause_seconds === undefined ? usualRetries.pauseMs : pause_seconds * 1000;
    named.set(name, { ...openDestination(name, settings, deps), retries: { tries, pauseMs } });
  }
  return new Destinations(named, file?.topics);
}

function shownAs(name: string, { destination, problem }: NamedDestination): ShownDestination {
  const { kind, words: to } = destination;
  return { name, kind, to, ...(problem !== undefined && { problem }) };
}
