// All servers as one MCP server, or one server alone under its own names.
import type { Implementation, ServerCapabilities } from '@modelcontextprotocol/client';
import {
  type Caller,
  type Clock,
  type LiveServer,
  type LiveServerOptions,
  type Log,
  type Quotas,
  liveServer,
} from '@tidings/live';
import { endsWithin } from '@tidings/live/time';
import { version } from '@tidings/live/version';
import type { Upstream } from '@tidings/track';
import type { PermissionsOf } from '../access/permissions.ts';
import { isSameList } from './catalog-review.ts';
import { type Changes, addChangeTools } from './change-tools.ts';
import type { FollowedList } from './followed-list.ts';
import { GatewayDirectory } from './gateway-directory.ts';
import { ListChanges } from './list-changes.ts';
import { mergedExtensions } from './passed-extensions.ts';
import { type PassedTasksOptions, passTasks } from './passed-tasks.ts';
import { passPrompts } from './passed-prompts.ts';
import { passOtherRequests } from './passed-requests.ts';
import { passTools } from './passed-tools.ts';
import type { ReadResources } from './read-resources.ts';
import { listenToTasks } from './task-listens.ts';
import type { Relay } from './relay/relay.ts';
import type { Views } from './view.ts';

export interface GatewayOptions {
  /** Its present name and version. */
  info: () => Implementation;
  instructions?: LiveServerOptions['instructions'];
  /** Enabled servers, in the order of the configuration. */
  upstreams: () => Iterable<Upstream>;
  /** The names that tools or prompts of a server have here. Default: the server's own. */
  namesOf?(this: void, upstream: Upstream, names: Iterable<string>): ReadonlyMap<string, string>;
  views: Views;
  relay: Relay;
  readResources: ReadResources;
  /** Whether results of tools mention what the caller has read and should read again. */
  mentionsChanges(this: void, caller: Caller): boolean;
  permissionsOf: PermissionsOf;
  /** Whether there are several servers, so that a question to a user has to say which of them asks. */
  namesAsker: boolean;
  /** Adds the tools for hosts that ignore notifications. */
  changes?: Pick<Changes, 'journal'>;
  /** The limits of each caller. */
  quotas: Quotas;
  clock: Clock;
  log: Log;
}

/** A slow server must not delay clients of the others for longer than this. */
const patienceMs = 3000;

interface Passed {
  upstream: Upstream;
  /** Resolves when its lists were read for the first time, or it is known to be unavailable. */
  looked: Promise<unknown>;
  tools: FollowedList<'tools'>;
  prompts: FollowedList<'prompts'>;
  unfollow: () => void;
}

export class Gateway {
  readonly server: LiveServer;
  readonly #options: GatewayOptions;
  readonly #directory: GatewayDirectory;
  readonly #passed = new Map<string, Passed>();
  readonly #listChanges: ListChanges;
  #isSettled = false;

  constructor(options: GatewayOptions) {
    const { info, instructions, permissionsOf, changes, quotas, clock, log } = options;
    this.#options = options;
    this.#listChanges = new ListChanges(clock, () => this.server.listChanged());
    const announce = (topic: string) => this.server.announce(topic);
    this.#directory = new GatewayDirectory({ ...options, announce });
    const tasks: PassedTasksOptions = {
      ...options,
      uriOf: (upstream, uri, caller) => this.#uriOf(upstream, uri, caller),
    };
    this.server = liveServer({
      name: 'tidings',
      version,
      info,
      ...(instructions !== undefined && { instructions }),
      resources: this.#directory,
      // No window of its own: the server or the tracker has merged frequent updates already.
      windowMs: 0,
      listWindowMs: 100,
      // Servers can be added and removed: all capabilities are advertised, though there may be no such items at the moment.
      capabilities: (caller) => capabilitiesWith(this.#seenBy(caller), caller),
      requests: passTasks(tasks),
      // With several servers it is not known which of them such a request is for.
      ...(!options.namesAsker && {
        otherRequests: passOtherRequests(options),
        listMeta: (list, caller) => this.#listMeta(list, caller),
      }),
      listens: { taskIds: listenToTasks(tasks) },
      quotas,
      clock,
      log,
    });
    if (changes) addChangeTools(this.server, { ...changes, permissionsOf }, this.#directory, clock);
    this.review();
  }

  /** Follows exactly the currently enabled servers. `hasOtherAccess`: callers may see other resources than before. */
  review({ hasOtherAccess = false } = {}): void {
    const upstreams = [...this.#options.upstreams()];
    const before = [...this.#passed.values()].map((passed) => passed.upstream);
    const current = new Map(upstreams.map((upstream) => [upstream.id, upstream]));
    for (const [id, passed] of this.#passed) {
      if (current.get(id) === passed.upstream) continue;
      this.#passed.delete(id);
      passed.unfollow();
      passed.tools.close();
      passed.prompts.close();
    }
    for (const { tools, prompts } of this.#passed.values()) for (const list of [tools, prompts]) list.review();
    for (const [id, upstream] of current) {
      const passed = this.#passed.get(id) ?? this.#pass(upstream);
      // In the order of the configuration.
      this.#passed.delete(id);
      this.#passed.set(id, passed);
    }
    this.#directory.review();
    if (hasOtherAccess || !listTheSame(before, upstreams)) this.server.listChanged();
  }

  /** Many hosts list only once, so the first list should be complete. */
  async settled(): Promise<void> {
    if (this.#isSettled) return;
    const looked = Promise.all([...this.#passed.values()].map((passed) => passed.looked));
    await endsWithin(this.#options.clock, patienceMs, looked);
    this.#isSettled = true;
  }

  async close(): Promise<void> {
    for (const { tools, prompts, unfollow } of this.#passed.values()) {
      unfollow();
      tools.close();
      prompts.close();
    }
    this.#passed.clear();
    this.#listChanges.close();
    await this.server.close();
  }

  /** What hidden servers can do is hidden too. */
  #seenBy(caller: Caller): Upstream[] {
    const permissions = this.#options.permissionsOf(caller);
    return [...this.#options.upstreams()].filter(({ id }) => permissions.sees(id));
  }

  /** It may describe what a limited caller does not see. */
  #listMeta(list: 'tools' | 'prompts', caller: Caller): Record<string, unknown> | undefined {
    const [upstream] = this.#options.upstreams();
    const isWhole = this.#options.permissionsOf(caller).isWhole;
    const meta = isWhole ? upstream?.definitions.metaOf(list) : undefined;
    return meta && { ...meta };
  }

  /** Undefined if the caller may not read it. */
  #uriOf({ id }: Upstream, uri: string, caller: Caller): string | undefined {
    const isOpen = this.#options.permissionsOf(caller).opens(id, uri);
    return isOpen ? this.#directory.nameOf(id, uri, caller) : undefined;
  }

  #pass(upstream: Upstream): Passed {
    const {
      views,
      relay,
      readResources,
      mentionsChanges,
      namesAsker,
      permissionsOf,
      log,
      namesOf = ownNames,
    } = this.#options;
    const passedOn = {
      server: this.server,
      upstream,
      views,
      permissionsOf,
      relay,
      readResources,
      mentionsChanges,
      namesAsker,
      log,
      namesOf: (names: Iterable<string>) => namesOf(upstream, names),
      uriOf: (uri: string, caller: Caller) => this.#uriOf(upstream, uri, caller),
    };
    const tools = passTools(passedOn);
    const prompts = passPrompts(passedOn);
    const unfollow = upstream.onListChanged(() => {
      this.#directory.review();
      this.#listChanges.changed();
    });
    const looked = Promise.all([upstream.settled(patienceMs), upstream.definitions.settled()]);
    return { upstream, looked, tools, prompts, unfollow };
  }
}

function ownNames(_: Upstream, names: Iterable<string>): ReadonlyMap<string, string> {
  return new Map([...names].map((name) => [name, name]));
}

/** Whether these are the same servers in the same order; for another object of a server, whether it lists the same. */
function listTheSame(before: readonly Upstream[], after: readonly Upstream[]): boolean {
  const isSame = (one: Upstream, other: Upstream | undefined) => {
    if (one === other || other === undefined) return one === other;
    return one.id === other.id && isSameList(one.catalog, other.catalog);
  };
  return before.length === after.length && before.every((each, n) => isSame(each, after[n]));
}

function capabilitiesWith(upstreams: readonly Upstream[], { era }: Pick<Caller, 'era'>): ServerCapabilities {
  const all = upstreams.flatMap(({ capabilities }) => capabilities ?? []);
  const hasTasks = era === 'legacy' && all.some(({ tasks }) => tasks?.requests?.tools?.call !== undefined);
  return {
    tools: { listChanged: true },
    prompts: { listChanged: true },
    logging: {},
    ...mergedExtensions(all),
    ...(hasTasks && { tasks: { cancel: {}, list: {}, requests: { tools: { call: {} } } } }),
  };
}
