// Answers the hooks of hosts: what changed since the session was last told.
import type { Caller, Clock } from '@tidings/live';
import { TimeSlice } from '@tidings/live/time';
import type { Journal } from '@tidings/track';
import { mostNamed } from '../base/named-uris.ts';
import type { Permissions, PermissionsOf } from '../access/permissions.ts';
import { chosenChanges } from './chosen-changes.ts';
import { type HookAnswer, type Moment, hookEventOf, nothing } from './hook-event.ts';
import type { HookHost } from './hook-host.ts';
import type { HookInput } from './hook-input.ts';
import { hookSentence, mayHaveChanged } from './hook-sentence.ts';
import { HostSessions, type HostSessionId, type HookPosition } from './host-sessions.ts';
import { type ReadByClient, readChanges, resourceKey } from './read-changes.ts';
import type { HookSelection } from './hook-selection.ts';

/** How often a session is told, within a turn, of what was not read or has changed again. */
const repeatMs = 60_000;

interface HooksDeps {
  journal: Pick<Journal, 'at' | 'end' | 'start'>;
  reads: {
    /** The number of the newest change. */
    readonly lastChange: number;
    /** The resources that clients with this credential have read. */
    readWith(subject: string): Iterable<ReadByClient>;
  };
  /** The URI under which this caller reaches the server's resource. */
  nameOf(this: void, serverId: string, uri: string, caller: Caller): string;
  permissionsOf: PermissionsOf;
  clock: Clock;
}

interface HookRequest {
  readonly caller: Caller;
  readonly host: HookHost;
  readonly input: HookInput;
  readonly wanted: HookSelection;
}

export interface HookReply {
  readonly body: HookAnswer;
  /** Call it if the host did not get the answer: the next one says it again. */
  readonly undelivered: () => void;
}

interface HookText extends Pick<HookReply, 'undelivered'> {
  readonly text: string;
}

const silence: HookReply = { body: nothing, undelivered: () => undefined };
const beginnings = new Set(['startup', 'clear', 'new']);

export class Hooks {
  readonly #deps: HooksDeps;
  readonly #sessions: HostSessions;
  readonly #slice: TimeSlice;

  constructor(deps: HooksDeps) {
    this.#deps = deps;
    this.#sessions = new HostSessions(deps.clock);
    this.#slice = new TimeSlice(deps.clock);
  }

  async answer(request: HookRequest): Promise<HookReply> {
    const { caller, host, input, wanted } = request;
    const event = hookEventOf(host, input.event);
    if (event === undefined) return silence;
    const { moment } = event;
    const subject = caller.auth?.subject ?? '';
    const id = { subject, host, session: input.session(), agent: input.agent, choice: wanted.choice };
    if (moment === 'end' || (moment === 'subagent end' && id.agent !== undefined)) {
      this.#sessions.end(id);
      return silence;
    }
    const answerWith = (text: string): HookAnswer => event.answer(input.event, text);
    const progress = this.#toldTo(id, moment, input);
    if (progress === 'unknown') return { ...silence, body: answerWith(mayHaveChanged) };
    if (progress === undefined || moment === 'subagent end' || (moment === 'stop' && !input.mayContinue))
      return silence;
    const news = await progress.turns.take(() => this.#news(request, moment, progress));
    if (news === undefined) return silence;
    // Without an id, the new agent counts as the one that started it, which has not received this text.
    if (moment === 'subagent' && id.agent === undefined) news.undelivered();
    return { body: answerWith(news.text), undelivered: news.undelivered };
  }

  /** Undefined for a session that begins; `unknown` for one that began earlier and is not stored here. */
  #toldTo(id: HostSessionId, moment: Moment, { source }: HookInput): HookPosition | 'unknown' | undefined {
    const { journal, reads } = this.#deps;
    const isNew = moment === 'start' && source !== undefined && beginnings.has(source);
    const known = isNew ? undefined : this.#sessions.find(id);
    if (known !== undefined) return known;
    // A new agent relies on contents that its session has read, so it begins at the position of the session.
    const outer = id.agent === undefined ? undefined : this.#sessions.find({ ...id, agent: undefined });
    if (outer !== undefined) return this.#sessions.begin(id, outer);
    this.#sessions.begin(id, { lastChange: reads.lastChange, position: journal.end });
    return moment === 'start' && source === 'resume' ? 'unknown' : undefined;
  }

  /** The text about changes that the session has not been told yet; undefined if there are none. */
  async #news(
    { caller, host, wanted }: HookRequest,
    moment: Moment,
    progress: HookPosition,
  ): Promise<HookText | undefined> {
    const { journal, reads, permissionsOf, clock } = this.#deps;
    const permissions = permissionsOf(caller);
    const before = { ...progress };
    const undelivered = () => {
      progress.lastChange = Math.min(progress.lastChange, before.lastChange);
      progress.position = Math.min(progress.position, before.position);
      progress.saidAt = before.saidAt;
      progress.isShared ||= before.isShared;
      progress.hasOtherAgents ||= before.hasOtherAgents;
    };
    const isDue =
      moment === 'work'
        ? progress.saidAt === undefined || clock.now() - progress.saidAt >= repeatMs
        : // A turn is not continued for resources that its model knows, or has never read.
          moment !== 'stop';
    const isChosen = isDue && wanted.isChosen;
    const to = isChosen ? journal.end : progress.position;
    // Before anything is awaited: an earlier answer may turn out to be undelivered meanwhile.
    progress.lastChange = reads.lastChange;
    progress.position = to;
    progress.isShared = false;
    progress.hasOtherAgents = false;
    const { lastChange: after, isShared, hasOtherAgents } = before;
    const terms = { host, permissions, wanted, after, isShared, hasOtherAgents };
    const read = reads.readWith(caller.auth?.subject ?? '');
    const { changed, known, isNew } = await readChanges(read, terms, this.#slice);
    if (!isNew && !isDue) {
      undelivered();
      return undefined;
    }
    const chosen = isChosen
      ? await this.#chosen({ caller, permissions, wanted }, { from: before.position, to, known })
      : { changed: [], hasGap: false };
    const text = hookSentence({ read: changed, chosen: chosen.changed, hasGap: chosen.hasGap });
    if (text === undefined) return undefined;
    progress.saidAt = clock.now();
    return { text, undelivered };
  }

  async #chosen(
    { caller, permissions, wanted }: { caller: Caller; permissions: Permissions; wanted: HookSelection },
    { from, to, known }: { from: number; to: number; known: ReadonlySet<string> },
  ) {
    const { journal, nameOf } = this.#deps;
    const part = { journal, from, to, slice: this.#slice };
    const { changed, hasGap } = await chosenChanges(part, permissions, wanted);
    // Resources that were read are named as such, or were read again after the change.
    const others = changed.filter(({ serverId, uri }) => !known.has(resourceKey(serverId, uri)));
    // Finding a name searches every server, and the rest is only counted.
    const name = ({ serverId, uri, changes }: (typeof others)[number], index: number) => ({
      uri: index < mostNamed ? nameOf(serverId, uri, caller) : uri,
      changes,
    });
    return { changed: others.map(name), hasGap };
  }
}
