// Creates the `Upstream` of a server for this node's role: connected directly and journaling, or connected through the
// owner node.
import { type Clock, systemClock } from '@tidings/live';
import type { ServerStatus } from '@tidings/client/contract';
import { holderStatus } from '../cluster/holder-status.ts';
import type { Role } from '../cluster/role.ts';
import type { ServerEntry } from '../config/config.ts';
import { isPerUser } from '../config/per-user.ts';
import { EraMemory } from '../connection/open/era-memory.ts';
import { StderrTail } from '../connection/process/stderr-tail.ts';
import type { Archive } from '../journal/archive.ts';
import type { JournalRecorder } from '../journal/journal-recorder.ts';
import type { Journal } from '../journal/journal.ts';
import { ServerRecorder, silentRecorder } from '../journal/server-recorder.ts';
import { type TrackerLog, logFor } from '../base/log.ts';
import type { Snapshots } from '../mirror/snapshots.ts';
import type { Versions } from '../mirror/versions.ts';
import { leaseOf } from '../cluster/role-keeper.ts';
import type { ServerMemory } from './memory/server-memory.ts';
import { emptyCatalog } from '../subscription/catalog/catalog.ts';
import { Watchers } from '../subscription/watchers.ts';
import type { Telemetry } from '../base/telemetry.ts';
import { type AccessDeps, ConfiguredAccess } from './configured-access.ts';
import { nothingOffered } from './definition/upstream-definitions.ts';
import type { Handover } from './upstream-deps.ts';
import { Upstream } from './upstream.ts';

export interface UpstreamFactoryDeps extends AccessDeps {
  log: TrackerLog;
  telemetry: Telemetry;
  snapshots: Snapshots;
  versions: Versions;
  journal: Journal;
  archive: Archive | undefined;
}

export class UpstreamFactory {
  readonly #deps: UpstreamFactoryDeps;
  readonly #clock: Clock;
  /** Kept in memory only, because all nodes speak the same era. */
  readonly #nodeEras: EraMemory;

  constructor(deps: UpstreamFactoryDeps) {
    this.#deps = deps;
    this.#clock = deps.options.clock ?? systemClock;
    this.#nodeEras = new EraMemory(this.#clock, new Map(), () => undefined);
  }

  make(entry: ServerEntry, role: Role, memory: ServerMemory, handover?: Handover): Upstream {
    const { settings, telemetry, snapshots, versions, user } = this.#deps;
    const { random = Math.random } = this.#deps.options;
    const clock = this.#clock;
    const log = logFor(this.#deps.log, entry.id);
    const isFollower = role.is === 'follower';
    const keepAlives = { direct: { ms: undefined }, node: { ms: undefined } };
    const stderr = new StderrTail(clock);
    const common = { clock, log, stderr, keepAlives, nodeEras: this.#nodeEras, isFollower };
    return new Upstream(entry, {
      clock,
      random,
      settings,
      telemetry,
      snapshots,
      versions,
      log,
      memory,
      handover: handover ?? {
        watchers: new Watchers(log),
        watcherContents: new Map(),
        offer: nothingOffered,
        catalog: emptyCatalog,
      },
      accessTo: (current) => new ConfiguredAccess(current, this.#deps, common),
      recorder: this.#recorder(entry, role),
      isFollower,
      user,
      shown: (own) => this.#shown(own, role),
    });
  }

  #recorder(entry: ServerEntry, role: Role): JournalRecorder {
    const { journal, archive, user } = this.#deps;
    if (role.is === 'follower' || user !== undefined) return silentRecorder;
    const isOperatorOnly = isPerUser(entry);
    return new ServerRecorder({ serverId: entry.id, journal, archive, claim: role.claim, isOperatorOnly });
  }

  /** The status as reported by the node that is connected to the server. */
  #shown(own: ServerStatus, role: Role): ServerStatus {
    const { cluster } = this.#deps;
    if (cluster === undefined) return own;
    if (role.is === 'owner') return { ...own, node: cluster.id };
    const holder = cluster.leases.holder(leaseOf(own.id));
    if (holder.is !== 'other') return own;
    const fromHolder = holderStatus(cluster.leases, leaseOf(own.id));
    const { enabled, description } = own;
    return fromHolder ? { ...fromHolder, enabled, description } : { ...own, node: holder.node.id };
  }
}
