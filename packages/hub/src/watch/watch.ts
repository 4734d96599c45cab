// `tidings watch`: a tracker of one server, and the differences between the contents of its resources.
import type { Clock } from '@tidings/live';
import { delay } from '@tidings/live/time';
import { ConnectFailure, type Tracker, type Upstream, openTracker } from '@tidings/track';
import { connectionFailure } from '../look/connection-failure.ts';
import { maxMessageBytes } from '../look/with-session.ts';
import { FileLoginStore } from '@tidings/track/internal';
import { usualLoginFolder } from '../setup/login-folder.ts';
import { reportSlowStart } from '../look/slow-start.ts';
import { StderrLines } from '../look/stderr-lines.ts';
import { type ServerTarget, serverEntryOf, targetName } from '../look/target.ts';
import { Failure } from '../terminal/failure.ts';
import { aborted } from '../terminal/interruption.ts';
import type { Untimed, WatchEvent } from './event.ts';
import type { Patterns } from './pattern.ts';
import { type Outage, PendingUpdates } from './pending-updates.ts';
import { WatchedSet } from './watched-set.ts';

interface WatchOptions {
  target: ServerTarget;
  patterns: Patterns;
  report(this: void, event: WatchEvent): void;
  /** Ends the watch. */
  signal: AbortSignal;
  clock: Clock;
}

/** How often the state is looked at while the first connection is made. */
const settleMs = 20;

export async function watch(options: WatchOptions): Promise<void> {
  const { target, signal, clock } = options;
  const log = new StderrLines();
  const entry = serverEntryOf(target);
  const config = { servers: [entry], tokens: [] };
  const logins = new FileLoginStore(usualLoginFolder(), clock);
  const tracker = await openTracker({ config, settings: { maxMessageBytes }, env: process.env, clock, logins, log });
  try {
    const upstream = tracker.upstream(entry.id);
    const answered = reportSlowStart({ target, clock, stderr: () => log.of(entry.id) });
    const watching = connected(upstream, options, log)
      .finally(answered)
      .then(() => follow(tracker, upstream, options));
    await Promise.race([watching, aborted(signal)]);
  } finally {
    await tracker.close();
  }
}

/** Throws if the server cannot be reached at first; a server that is lost later is waited for. */
async function connected(upstream: Upstream, { target, clock, signal }: WatchOptions, log: StderrLines): Promise<void> {
  for (let { state, detail } = upstream.status(); state !== 'live'; { state, detail } = upstream.status()) {
    if (signal.aborted) return;
    if (state !== 'connecting') throw connectionFailure(upstream.failure, target, log.of(upstream.id));
    // It is connected, but its list cannot be read.
    if (detail !== '') throw new Failure(`${targetName(target)} does not list its resources: ${detail}`);
    await delay(clock, settleMs);
  }
  const capabilities = await upstream.use(async (client) => client.getServerCapabilities());
  if (capabilities?.resources === undefined) {
    throw new Failure(`${targetName(target)} has no resources, so there is nothing to watch.`);
  }
}

async function follow(tracker: Tracker, upstream: Upstream, options: WatchOptions): Promise<never> {
  const { target, patterns, signal, clock } = options;
  const source = targetName(target);
  const pending = new PendingUpdates(clock);
  const mentioned = new Set<string>();
  // Problems are reported once there is something to watch: without it, the command fails with the reason.
  let early: Untimed[] | undefined = [];
  const report = (event: Untimed, at: number = clock.date()) => {
    if (signal.aborted) return;
    if (early) {
      early.push(event);
      return;
    }
    // After a reconnection, a problem that is known is not repeated.
    const problem = event.type === 'problem' ? `${event.problem} ${event.uri}` : undefined;
    if (problem !== undefined && mentioned.has(problem)) return;
    if (problem !== undefined) mentioned.add(problem);
    options.report({ time: new Date(at).toISOString(), ...event });
  };
  const updated = (uri: string) => pending.updated(uri, clock.date());
  const watched = new WatchedSet({ upstream, patterns, clock, report, updated });
  upstream.onListChanged(() => pending.listChanged());
  tracker.journal.follow(() => {
    const { state } = upstream.status();
    if (state === 'backoff' || state === 'needs_login') pending.lost(outageOf(upstream, options));
    else pending.wake();
  });

  // Reported once everything was read: from then on every change is noticed.
  await watched.follow();
  await watched.readNew();
  if (watched.uris.length === 0 && patterns.areExact) {
    const none = `There is nothing to watch: ${source} has no resource ${patterns.exact.join(', ')}.`;
    throw new Failure(`${none} "tidings list" shows all resources, "tidings list --templates" the templates.`);
  }
  const first = early;
  early = undefined;
  for (const event of first) report(event);
  report({ type: 'watching', source, uris: watched.uris });

  let isAway = false;
  let lastStatus: number | undefined;
  for (;;) {
    await pending.woken();
    const outage = pending.takeOutage();
    if (outage) {
      const { reason, retryInMs, httpStatus } = outage;
      // An outage is reported once, and again when the server answers but refuses: that may need the user.
      const isNews = !isAway || (httpStatus !== undefined && httpStatus !== lastStatus);
      if (isNews) report({ type: 'lost', reason, retryInMs });
      isAway = true;
      lastStatus = httpStatus;
    }
    if (upstream.status().state !== 'live') continue;
    if (isAway || pending.takeListChanged()) {
      const { added, removed } = await watched.follow();
      if (isAway) report({ type: 'back', source, uris: watched.uris });
      const change = { added, removed, ...(isAway && { whileAway: true as const }) };
      await watched.readNew();
      if (added.length + removed.length > 0) report({ type: 'list_changed', ...change });
      if (isAway) await watched.compareAll();
      isAway = false;
      lastStatus = undefined;
    }
    await watched.readUpdated(pending.takeUpdated());
  }
}

function outageOf(upstream: Upstream, { target, clock }: WatchOptions): Outage {
  const { failure } = upstream;
  const { retryAt } = upstream.status();
  const retryInMs = retryAt === undefined ? 0 : Math.max(0, Date.parse(retryAt) - clock.date());
  const httpStatus = failure instanceof ConnectFailure ? failure.httpStatus : undefined;
  const error = httpStatus === undefined ? failure : connectionFailure(failure, target);
  return { reason: error instanceof Error ? error.message : 'the connection was lost', retryInMs, httpStatus };
}
