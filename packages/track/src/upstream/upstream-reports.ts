// Reports about one server, to the journal, the log and the metrics at once.
import type { Conceal } from '../connection/error/concealer.ts';
import type { ServerState } from '@tidings/client/contract';
import type { ErrorReason } from '@tidings/client/contract';
import type { JournalRecorder } from '../journal/journal-recorder.ts';
import type { TrackerLog } from '../base/log.ts';
import { isMilestone } from '../base/milestone.ts';
import type { ServerStatus } from '@tidings/client/contract';
import type { Telemetry } from '../base/telemetry.ts';

interface ReportsOptions {
  telemetry: Telemetry;
  log: Required<TrackerLog>;
  recorder: JournalRecorder;
  conceal: Conceal;
}

export class UpstreamReports {
  readonly #serverId: string;
  readonly #options: ReportsOptions;
  /** The state that the journal last reported. */
  #reportedState: ServerState | undefined;
  #isReplaced = false;

  constructor(serverId: string, options: ReportsOptions) {
    this.#serverId = serverId;
    this.#options = options;
  }

  /** From now on, the metrics belong to the successor. */
  replaced(): void {
    this.#isReplaced = true;
  }

  state(state: ServerState, detail: string, failures: number): void {
    const { telemetry, recorder, log } = this.#options;
    const server = this.#serverId;
    if (state === 'connecting') telemetry.connects.inc({ server });
    if (state === 'connecting' && failures > 0) telemetry.retries.inc({ server });
    if (!this.#isReplaced) telemetry.up.set({ server }, state === 'live' || state === 'unsupported' ? 1 : 0);
    if (this.#isNews(state, failures)) {
      this.#reportedState = state;
      recorder.append({ type: 'server_state', serverId: server, state, ...(detail !== '' && { detail }) });
    }
    if (state === 'backoff') {
      telemetry.error(server, 'connect');
      // Warns less and less often, so that a server that stays unavailable does not fill the log.
      if (isMilestone(failures)) log.warn({ detail, failures }, 'The server is unavailable.');
      else log.info({ detail, failures }, 'The server is still unavailable.');
    } else {
      log.info({ state, detail }, 'The state of the server changed.');
    }
  }

  /** Reports an error; journals it only if the server is tracked. `failures`: the number of failures in a row. */
  error(
    reason: ErrorReason,
    words: string,
    { uri, isTracked, failures = 1 }: { uri?: string | undefined; isTracked: boolean; failures?: number },
  ): void {
    const { telemetry, recorder, conceal, log } = this.#options;
    const error = conceal(words);
    telemetry.error(this.#serverId, reason);
    log.warn({ reason, err: error, uri }, 'A resource or list could not be followed.');
    if (!isTracked || !isMilestone(failures)) return;
    recorder.append({
      type: 'resource_error',
      serverId: this.#serverId,
      ...(uri !== undefined && { resourceUri: uri }),
      reason,
      error,
    });
  }

  counts({ wanted, subscribed, polled }: Pick<ServerStatus, 'wanted' | 'subscribed' | 'polled'>): void {
    if (this.#isReplaced) return;
    const { telemetry } = this.#options;
    const server = this.#serverId;
    telemetry.desired.set({ server }, wanted);
    telemetry.actual.set({ server }, subscribed);
    telemetry.polled.set({ server }, polled);
  }

  /** While a server is unavailable, retries are not reported, and failures less and less often. */
  #isNews(state: ServerState, failures: number): boolean {
    if (this.#reportedState !== 'backoff') return true;
    if (state === 'connecting') return failures === 0;
    return state !== 'backoff' || isMilestone(failures);
  }
}
