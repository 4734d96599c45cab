// Everyone whom the hub admits under the present configuration.
import type { Clock } from '@tidings/live';
import type { Config, TrackerLog } from '@tidings/track';
import { boundedFetch } from '@tidings/live/internal';
import { Callers } from './callers.ts';
import { grantedBy } from './granted-by.ts';

interface CurrentCallersDeps {
  /** The unlimited token. */
  whole: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  log: TrackerLog;
}

const issuerWithinMs = 5000;

export class CurrentCallers {
  readonly #deps: CurrentCallersDeps;
  #config: Config;
  #callers: Callers;

  constructor(config: Config, deps: CurrentCallersDeps) {
    this.#deps = deps;
    this.#config = config;
    this.#callers = this.#under(config);
  }

  get now(): Callers {
    return this.#callers;
  }

  /** Applies an edited configuration. Returns whether access has changed. */
  apply(config: Config): boolean {
    const isOther = accessIn(this.#config) !== accessIn(config);
    this.#config = config;
    this.#callers = this.#under(config, this.#callers);
    return isOther;
  }

  #under(config: Config, before?: Callers): Callers {
    const { clock } = this.#deps;
    return new Callers({
      ...this.#deps,
      config,
      before,
      fetch: boundedFetch(fetch, clock, { withinMs: issuerWithinMs }),
    });
  }
}

function accessIn({ tokens, oauth, redactions }: Config): string {
  return JSON.stringify([tokens.map(grantedBy), oauth?.issuers.map(grantedBy), redactions]);
}
