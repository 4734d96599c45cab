// All servers as one MCP server, or one server alone under its own names.
import type { Implementation, ServerCapabilities } from '@modelcontextprotocol/client';
import {
  type Caller,
  type Clock,
  LiveError,
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
import { isSameList } from './owner/catalog-review.ts';
import { type Changes, addChangeTools } from './change/change-tools.ts';
import type { FollowedList } from './passed/followed-list.ts';
import { GatewayDirectory } from './resource/gateway-directory.ts';
import { ListChanges } from './list-changes.ts';
import { mergedExtensions } from './relay/passed-extensions.ts';
import { type PassedTasksOptions, passTasks } from './passed/passed-tasks.ts';
import { passPrompts } from './passed/passed-prompts.ts';
import { passOtherRequests } from './passed/passed-requests.ts';
import { passTools } from './passed/passed-tools.ts';
import type { ReadResources } from './mention/read-resources.ts';
import { listenToTasks } from './passed/task-listens.ts';
import type { Relay } from './relay/relay.ts';
import type { Views } from './view.ts';

interface GatewayOptions {
  /** The present name and version of the gateway. */
  info: () => Implementation;
  instructions?: LiveServerOptions['instructions'];
  /** Enabled servers, in the order of the configuration. */
  upstreams: () => Iterable<Upstream>;
  /** The names of a server's tools or prompts on this gateway. Default: the server's own. */
  namesOf?(this: void, upstream: Upstream, names: Iterable<string>): ReadonlyMap<string, string>;
  views: Views;
  relay: Relay;
  readResources: ReadResources;
  /** Whether results of tools mention resources that the caller has read and that have changed. */
  mentionsChanges(this: void, caller: Caller): boolean;
  permissionsOf: PermissionsOf;
  /** Whether questions to a user name the server that asks, because there are several servers. */
  namesAsker: boolean;
  /** Adds the tools for hosts that ignore notifications. */
  changes?: Pick<Changes, 'journal'>;
  /** The limits of each caller. */
  quotas: Quotas;
  clock: Clock;
  log: Log;
}

/** How long clients wait for the first lists of a slow server. */
const patienceMs = 3000;

interface Passed {
  upstream: Upstream;
  /** Resolves when the server's lists were read for the first time, or it is known to be unavailable. */
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
  #areFirstListsRead = false;

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
      // No window here: the server or the tracker has merged frequent updates already.
      windowMs: 0,
      listWindowMs: 100,
      // Advertises all capabilities, even without such items at the moment, because servers can be added later.
      capabilities: (caller) => capabilitiesWith(this.#seenBy(caller), caller),
      requests: passTasks(tasks),
      // Only with one server: with several, it is unknown which of them such a request is for.
      ...(!options.namesAsker && {
        otherRequests: passOtherRequests(options),
        listMeta: (list, caller) => this.#listMeta(list, caller),
      }),
      listens: { taskIds: listenToTasks(tasks) },
      absence: (list, name, caller) => this.#absence(list, name, caller),
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
      const known = this.#passed.get(id);
      const passed = known ?? this.#pass(upstream);
      // A new server of a user: the user has just sent a first request, or logged in.
      if (known === undefined && upstream.user !== undefined) this.#areFirstListsRead = false;
      // Keeps the order of the configuration.
      this.#passed.delete(id);
      this.#passed.set(id, passed);
    }
    this.#directory.review();
    if (hasOtherAccess || !listTheSame(before, upstreams)) this.server.listChanged();
  }

  /** Resolves when the first lists are complete, or after `patienceMs`: many hosts list only once. */
  async firstListsRead(): Promise<void> {
    if (this.#areFirstListsRead) return;
    const looked = Promise.all([...this.#passed.values()].map((passed) => passed.looked));
    await endsWithin(this.#options.clock, patienceMs, looked);
    this.#areFirstListsRead = true;
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

  /** The servers that the caller sees; the capabilities of the others are hidden as well. */
  #seenBy(caller: Caller): Upstream[] {
    const permissions = this.#options.permissionsOf(caller);
    return [...this.#options.upstreams()].filter(({ id }) => permissions.sees(id));
  }

  /** A server without a login has told nothing of what it offers, so any name may be one of its own. */
  #absence(list: 'tools' | 'prompts', name: string, caller: Caller): LiveError | undefined {
    const { permissionsOf, namesOf = ownNames } = this.#options;
    const permissions = permissionsOf(caller);
    for (const upstream of this.#seenBy(caller)) {
      if (upstream.user === undefined || upstream.status().state !== 'needs_login') continue;
      const prefix = [...namesOf(upstream, ['']).values()].join('');
      if (!name.startsWith(prefix)) continue;
      const own = name.slice(prefix.length);
      const isGranted =
        list === 'tools' ? permissions.mayCall(upstream.id, own, true) : permissions.mayPrompt(upstream.id, own);
      if (isGranted)
        return new LiveError('UNAVAILABLE', `"${upstream.id}" wants a login: run "${upstream.loginCommand}".`);
    }
    return undefined;
  }

  /** `_meta` of a list. Only for unlimited callers, because it may describe hidden items. */
  #listMeta(list: 'tools' | 'prompts', caller: Caller): Record<string, unknown> | undefined {
    const [upstream] = this.#options.upstreams();
    const isWhole = this.#options.permissionsOf(caller).isWhole;
    const meta = isWhole ? upstream?.definitions.metaOf(list) : undefined;
    return meta && { ...meta };
  }

  /** The URI of a server's resource on this gateway; undefined if the caller may not read it. */
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
    const looked = Promise.all([upstream.connectionAttempted(patienceMs), upstream.definitions.whenRead()]);
    return { upstream, looked, tools, prompts, unfollow };
  }
}

function ownNames(_: Upstream, names: Iterable<string>): ReadonlyMap<string, string> {
  return new Map([...names].map((name) => [name, name]));
}

/**
 * Whether these are the same servers in the same order, where a replaced `Upstream` counts as the same if it lists the
 * same.
 */
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
