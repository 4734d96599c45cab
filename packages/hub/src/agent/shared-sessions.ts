// The agent sessions of all nodes: each is held by one node under a lease. When that node stops, another opens the
// session, from the last event that its agent was notified of.
import { type Hold, LiveError, type Log } from '@tidings/live';
import { type SessionStatus, sessionStatus } from '@tidings/client/contract';
import { Rerun } from '@tidings/live/time';
import type { Cluster, OtherNode, StoredSession } from '@tidings/track/internal';
import { type AgentSessions, sessionExists } from './agent-sessions.ts';
import { type AttachRequest, attachRequest } from '@tidings/client/contract';
import type { DueNotification } from './message/notification-messages.ts';
import { notifyAtNode } from './notify-at-node.ts';

const prefix = 'session:';
const leaseOf = (id: string) => `${prefix}${id}`;

interface SharedSessionsDeps {
  cluster: Cluster | undefined;
  sessions: AgentSessions;
  /** The cursor of the last event. */
  cursor(this: void): string;
  log: Log;
}

export class SharedSessions {
  readonly #deps: SharedSessionsDeps;
  readonly #wanted = new Set<string>();
  /** Sessions that were detached here, until they are removed from the table. */
  readonly #ending = new Set<string>();
  readonly #reviewing = new Rerun(() => this.#review());
  readonly #unfollow: (() => void) | undefined;

  constructor(deps: SharedSessionsDeps) {
    this.#deps = deps;
    this.#unfollow = deps.cluster?.leases.follow(() => {
      this.#reviewing.request().catch((error: unknown) => {
        deps.log.warn({ err: error }, 'The agent sessions of the cluster could not be read; trying again.');
      });
    });
  }

  /** The sessions of this node, and those that other nodes publish. */
  list(): SessionStatus[] {
    const { sessions, cluster } = this.#deps;
    const own = sessions.list();
    const isOwn = new Set(own.map(({ id }) => id));
    const others = (cluster?.leases.named(prefix) ?? []).flatMap(({ detail }) => {
      const { data } = sessionStatus.safeParse(detail === undefined ? undefined : JSON.parse(detail));
      return data === undefined || isOwn.has(data.id) || this.#ending.has(data.id) ? [] : [data];
    });
    return [...own, ...others];
  }

  /** The node that holds the session, if it is another one. */
  otherWith(id: string): OtherNode | undefined {
    return this.#deps.sessions.has(id) ? undefined : this.#deps.cluster?.otherWith(leaseOf(id));
  }

  /** Sends a due notification to a session, whichever node holds it. Resolves when it has arrived. */
  async notify(id: string, due: DueNotification): Promise<void> {
    const node = this.otherWith(id);
    return node === undefined ? this.#deps.sessions.notify(id, due) : notifyAtNode(node, id, due);
  }

  async attach(request: AttachRequest, held: Hold): Promise<SessionStatus> {
    const { cluster, sessions, cursor } = this.#deps;
    if (request.id !== undefined && this.otherWith(request.id) !== undefined) {
      held.release();
      throw sessionExists(request.id);
    }
    const after = cursor();
    const session = await sessions.attach(request, held);
    const { id } = session;
    if (cluster === undefined) return session.status();
    try {
      this.#wanted.add(id);
      await cluster.leases.takeNow(leaseOf(id));
      const isNew = await cluster.sessions.add({ id, request: JSON.stringify(request), cursor: after });
      if (isNew) return session.status();
    } catch (error) {
      await this.#forget(cluster, id);
      throw Object.assign(new LiveError('DATABASE_ERROR', 'The session could not be stored: try again.'), {
        cause: error,
      });
    }
    // Attached on another node, which is not known here yet.
    await this.#forget(cluster, id);
    throw sessionExists(id);
  }

  async detach(id: string): Promise<void> {
    const { cluster, sessions } = this.#deps;
    if (cluster === undefined || id === 'transcript') return sessions.detach(id);
    sessions.get(id);
    this.#ending.add(id);
    await cluster.sessions.remove(id);
    await sessions.detach(id);
    this.#wanted.delete(id);
    await cluster.leases.unwant(leaseOf(id));
  }

  /** Undoes `attach`. A session that another node holds is wanted again at the next review. */
  async #forget(cluster: Cluster, id: string): Promise<void> {
    const { sessions } = this.#deps;
    if (sessions.has(id)) await sessions.detach(id);
    this.#wanted.delete(id);
    await cluster.leases.unwant(leaseOf(id));
  }

  /** Does not detach sessions: other nodes open them when this one has stopped. */
  async close(): Promise<void> {
    this.#unfollow?.();
    await this.#reviewing.stop();
  }

  async #review(): Promise<void> {
    const { cluster, sessions } = this.#deps;
    if (cluster === undefined) return;
    const wanted = [...this.#wanted];
    const all = await cluster.sessions.all();
    for (const id of this.#ending) if (all.every((session) => session.id !== id)) this.#ending.delete(id);
    const stored = all.filter(({ id }) => !this.#ending.has(id));
    const fresh = stored.filter(({ id }) => !this.#wanted.has(id));
    for (const { id } of fresh) this.#wanted.add(id);
    cluster.leases.want(...fresh.map(({ id }) => leaseOf(id)));
    for (const session of stored) await this.#reviewOne(cluster, session);
    // Detached on another node. One that is being attached here is not in the table yet.
    const isStored = new Set(stored.map(({ id }) => id));
    for (const id of wanted) {
      if (isStored.has(id) || !this.#wanted.has(id) || sessions.has(id)) continue;
      this.#wanted.delete(id);
      await cluster.leases.unwant(leaseOf(id));
    }
  }

  async #reviewOne(cluster: Cluster, { id, request, cursor }: StoredSession): Promise<void> {
    const { sessions, log } = this.#deps;
    const name = leaseOf(id);
    const holder = cluster.leases.holder(name);
    if (this.#ending.has(id)) return;
    if (holder.is !== 'own') {
      if (sessions.has(id)) await sessions.detach(id);
      return;
    }
    if (!sessions.has(id)) {
      try {
        await sessions.attach(attachRequest.parse(JSON.parse(request)), undefined, { id, after: cursor });
      } catch (error) {
        log.error({ err: error, session: id }, 'An agent session could not be taken over; trying again.');
        return;
      }
    }
    const session = sessions.get(id);
    cluster.leases.describe(name, JSON.stringify(session.status()));
    // Kept here for its transcript; no node opens it again.
    if (session.isOver) return cluster.sessions.remove(id);
    const { notifiedUpTo } = session;
    const claim = { name, node: cluster.id, fence: holder.fence };
    if (notifiedUpTo !== undefined && notifiedUpTo !== cursor) await cluster.sessions.recorded(id, notifiedUpTo, claim);
  }
}
