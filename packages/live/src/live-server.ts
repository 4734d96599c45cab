// What a server is made of: resources, tools and prompts, the feed they announce on and the notifier
// that follows it. How it is reached is decided in serve/.
import type {
  Implementation,
  ServerCapabilities,
  ServerOptions,
  StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import {
  aBoolean,
  aCount,
  aFunction,
  aText,
  anObject,
  checkOptions,
  checkValue,
  either,
  having,
  milliseconds,
} from './check-options.ts';
import { type Clock, systemClock } from './time/clock.ts';
import { type ChangeFeed, type ListName, listTopics } from './feed/change.ts';
import { MemoryFeed } from './feed/memory-feed.ts';
import { type Log, stderrLog, unfailing } from './log.ts';
import { Notifier } from './notify/notifier.ts';
import { type Authorize, Directory } from './resource/directory.ts';
import type { CallContext } from './resource/call-context.ts';
import type { ResourceDirectory } from './resource/resource-directory.ts';
import type { Subject, Target, Watched } from './notify/watched.ts';
import type { Route, RouteOptions } from './resource/route.ts';
import type { AnyParams, Params, Supported } from './resource/template-params.ts';
import type { Definition, Limits } from './definition/definition.ts';
import { targetOf } from './definition/target.ts';
import {
  type PromptAnswer,
  type PromptDefinition,
  type PromptHandler,
  type PromptOptions,
  assertPrompt,
} from './definition/prompt.ts';
import { type Quotas, noQuotas } from './quota/quotas.ts';
import type { Registration } from './definition/registration.ts';
import { Registry } from './definition/registry.ts';
import {
  type ToolAnswer,
  type ToolDefinition,
  type ToolHandler,
  type ToolOptions,
  assertTool,
} from './definition/tool.ts';

/** What a server is: its name and version, and what differs from the defaults. */
export interface LiveServerOptions extends Implementation {
  /** What a model should know before it uses this server; for each caller, where it is a function. */
  instructions?: Definition['instructions'];
  /** Where resources come from, if not from routes defined with `resource()`. */
  resources?: ResourceDirectory;
  /** Where changes come from. Default: this process alone. */
  feed?: ChangeFeed;
  /** Asked for every resource that is listed, read, subscribed to or told about. The URI is canonical. */
  authorize?: Authorize;
  /** Updates of one URI within this time after another merge into one. */
  windowMs?: number;
  /** The same for changes of a list. Default: `windowMs`. */
  listWindowMs?: number;
  /** Lets `notes://today/` be `notes://today`. */
  ignoreTrailingSlash?: boolean;
  /** How many resources one page of a list has. Default: 1000; many clients give up after 64 pages. */
  pageSize?: number;
  limits?: Partial<Limits>;
  /** What one caller may use of those limits. Default: all of them. See `SubjectQuotas`. */
  quotas?: Quotas;
  /** Capabilities beyond those that follow from what is defined, such as `logging`. */
  capabilities?: ServerCapabilities;
  /** Verifies the state a tool or prompt gets back from the client when it has asked for input. */
  requestState?: ServerOptions['requestState'];
  log?: Log;
  clock?: Clock;
}

/** Parameters as arguments: a resource without required ones needs none. */
type Given<P> = Partial<P> extends P ? [params?: P] : [params: P];

/** What `server.resource` returns: announces changes of its resources. */
export interface RouteHandle<P> extends Registration {
  /** Announces that this resource changed. Call it once the new state can be read. */
  changed(this: void, ...params: Given<P>): void;
  /** Announces a new resource: it has changed, and so has the list. */
  added(this: void, ...params: Given<P>): void;
  /** Announces a removed resource: it has changed, and so has the list. */
  removed(this: void, ...params: Given<P>): void;
  /** The canonical URI of one resource. */
  uri(this: void, ...params: Given<P>): string;
}

const defaultLimits: Limits = {
  sessions: 10_000,
  streams: 10_000,
  urisPerSubscriber: 10_000,
  bodyBytes: 4 * 1024 * 1024,
  batch: 100,
  uriLength: 8192,
};

const limitChecks = Object.fromEntries(Object.keys(defaultLimits).map((name) => [name, aCount]));

const serverChecks = {
  name: aText,
  version: aText,
  title: aText,
  description: aText,
  websiteUrl: aText,
  icons: anObject,
  instructions: either({ expected: 'a text', accepts: (value) => typeof value === 'string' }, aFunction),
  resources: having('resolve', 'read', 'list'),
  feed: having('announce', 'follow'),
  authorize: aFunction,
  windowMs: milliseconds,
  listWindowMs: milliseconds,
  ignoreTrailingSlash: aBoolean,
  pageSize: aCount,
  limits: anObject,
  quotas: having('hold', 'request'),
  capabilities: anObject,
  requestState: anObject,
  log: having('warn', 'error'),
  clock: having('now', 'date', 'defer', 'after'),
};

/**
 * Resources, tools and prompts, defined once for any number of clients. Made by `liveServer`.
 *
 * @example
 * await serveHttp(new LiveServer({ name: 'notes', version: '1.0.0' }))
 */
export class LiveServer {
  /** For the modules in serve/. */
  readonly definition: Definition;
  readonly #feed: ChangeFeed;
  readonly #stopFollowing: () => void;
  readonly #releases: (() => void | Promise<void>)[] = [];
  readonly #directory: Directory;
  readonly #tools = new Registry<ToolDefinition>(() => this.#tell('tools'));
  readonly #prompts = new Registry<PromptDefinition>(() => this.#tell('prompts'));

  constructor(options: LiveServerOptions) {
    checkOptions('liveServer', options, serverChecks, ['name', 'version']);
    checkOptions('limits of liveServer', options.limits ?? {}, limitChecks);
    const {
      instructions,
      resources,
      feed,
      authorize,
      windowMs = 50,
      listWindowMs = windowMs,
      ignoreTrailingSlash = false,
      pageSize = 1000,
      limits,
      quotas = noQuotas,
      capabilities,
      requestState,
      clock = systemClock,
      log: givenLog = stderrLog,
      ...info
    } = options;
    const log = unfailing(givenLog);
    const allLimits = { ...defaultLimits, ...limits };
    const directory = new Directory({
      authorize,
      pageSize,
      maxUriLength: allLimits.uriLength,
      ignoreTrailingSlash,
      log,
    });
    const notifier = new Notifier(clock, log);
    this.#feed = feed ?? new MemoryFeed();
    this.#directory = directory;
    const [tools, prompts] = [this.#tools, this.#prompts];
    this.definition = {
      info,
      instructions,
      requestState,
      directory: resources ?? directory,
      tools,
      prompts,
      notifier,
      windowMs,
      listWindowMs,
      limits: allLimits,
      quotas,
      clock,
      log,
      get capabilities() {
        return { ...capabilitiesOf(resources ?? directory, tools, prompts), ...capabilities };
      },
    };
    this.#stopFollowing = this.#feed.follow({
      change: ({ topics }) => this.#notify(topics),
      gap: () => notifier.gap(),
    });
  }

  /**
   * Defines the resources of one URI template: `{x}` is a segment or a part of one (`{x}.json`), `{+x}` the rest,
   * `{/x}` an optional segment, `{?x,y}` the query.
   */
  resource<const T extends string>(template: Supported<T>, options: RouteOptions<Params<T>>): RouteHandle<Params<T>>;
  resource(template: string, options: RouteOptions<AnyParams>): RouteHandle<AnyParams> {
    if (this.definition.directory !== this.#directory) {
      throw new TypeError(
        `"${template}" would not be served: the resources of this server are those of \`resources\`.`,
      );
    }
    const route = this.#directory.add(template, options);
    this.#rebind(this.#watchedOf(route));
    this.#tell('resources');
    const uri = (params: AnyParams = {}) => route.template.expand(params);
    const announceWithList = (params?: AnyParams) => this.announce(uri(params), listTopics.resources);
    return {
      uri,
      changed: (params) => this.announce(uri(params)),
      added: announceWithList,
      removed: announceWithList,
      remove: () => {
        const watched = this.#watchedOf(route);
        if (!this.#directory.remove(route)) return;
        this.#rebind(watched);
        this.#tell('resources');
      },
    };
  }

  /** Lets the resources of `target`, a template that is defined, be reached under the URIs of another too. */
  alias(template: string, target: string): void {
    this.#directory.alias(template, target);
  }

  /** Defines a tool whose results have the shape of `output`. Clients that are already there are told. */
  tool<Output extends StandardSchemaWithJSON, Input extends StandardSchemaWithJSON = StandardSchemaWithJSON>(
    name: string,
    options: ToolOptions<Input, Output> & { output: Output },
    handler: (args: StandardSchemaWithJSON.InferOutput<Input>, context: CallContext) => ToolAnswer<Output>,
  ): Registration;
  /** Defines a tool that answers with text, JSON, nothing, or a `toolResult()`. */
  tool<Input extends StandardSchemaWithJSON>(
    name: string,
    options: ToolOptions<Input, never>,
    handler: (args: StandardSchemaWithJSON.InferOutput<Input>, context: CallContext) => unknown,
  ): Registration;
  tool(name: string, options: ToolDefinition['options'], handler: ToolHandler): Registration {
    checkDefinition('tool', name, options, handler);
    assertTool(name, { options, handler });
    return this.#tools.add(name, { options, handler });
  }

  prompt<Args extends StandardSchemaWithJSON>(
    name: string,
    options: PromptOptions<Args>,
    handler: (
      args: StandardSchemaWithJSON.InferOutput<Args>,
      context: CallContext,
    ) => PromptAnswer | Promise<PromptAnswer>,
  ): Registration;
  prompt(name: string, options: PromptDefinition['options'], handler: PromptHandler): Registration {
    checkDefinition('prompt', name, options, handler);
    assertPrompt(name, { options, handler });
    return this.#prompts.add(name, { options, handler });
  }

  /** Announces these topics; every resource that depends on one of them is stale. A URI may be spelled in any way. */
  announce(...topics: string[]): void {
    const { log } = this.definition;
    for (const topic of topics) if (typeof topic !== 'string') checkValue('A topic', topic, aText);
    const announcing = this.#feed.announce(topics);
    announcing?.catch((error: unknown) => {
      log.error(
        { err: error, topics },
        'A change could not be announced on the feed; only clients of this process are told.',
      );
      this.#notify(topics);
    });
  }

  /** Announces that the list of resources changed. */
  listChanged(): void {
    this.announce(listTopics.resources);
  }

  /** Counters of the notifier, and its current subscribers. */
  stats() {
    const { counters, subscribers, interest } = this.definition.notifier;
    return { ...counters, subscribers, watched: interest.size };
  }

  /** Something to close with the server: a timer, a watcher, a socket. */
  onClose(release: () => void | Promise<void>): void {
    this.#releases.push(release);
  }

  /** Stops following the feed and closes what the server holds. Connections are closed where they were opened. */
  async close(): Promise<void> {
    this.#stopFollowing();
    for (const release of this.#releases.splice(0)) await release();
  }

  /** Whatever announced them, subscribers are known by the canonical spelling of their URIs. */
  #notify(topics: readonly string[]): void {
    const others: string[] = [];
    for (const topic of topics) {
      const canonical = this.#directory.canonical(topic);
      if (canonical !== topic) others.push(canonical);
    }
    this.definition.notifier.change({ topics: others.length === 0 ? topics : [...topics, ...others] });
  }

  /** What clients watch of this route. */
  #watchedOf(route: Route): Watched[] {
    const found: Watched[] = [];
    this.definition.notifier.interest.forEach((watched) => {
      const { subject } = watched;
      if (subject.kind === 'resource' && this.#directory.isServedBy(route, subject.uri)) found.push(watched);
    });
    return found;
  }

  /** Another route serves these now, or none: their subscribers are told, and follow that one. */
  #rebind(watched: readonly Watched[]): void {
    const changes = watched.flatMap((each) => {
      const { subject, windowMs } = each;
      return subject.kind === 'list' ? [] : [[each, this.#targetOf(subject, windowMs)] as const];
    });
    this.definition.notifier.rebind(changes);
  }

  #targetOf(subject: Extract<Subject, { kind: 'resource' }>, windowMs: number): Target {
    const { uri, canonical } = subject;
    const resolved = this.#directory.resolveIfServed(uri);
    return resolved ? targetOf(this.definition, uri, resolved) : { subject, topics: [canonical], windowMs };
  }

  /** Definitions are each process's own: they do not travel on the feed. */
  #tell(list: ListName): void {
    this.definition.notifier.change({ topics: [listTopics[list]] });
  }
}

/** `tool(name, handler)` is a likely mistake. */
function checkDefinition(kind: 'tool' | 'prompt', name: string, options: unknown, handler: unknown): void {
  checkValue(`The name of a ${kind}`, name, aText);
  if (typeof options === 'function' || typeof handler !== 'function') {
    throw new TypeError(`${kind} "${name}" needs options and a handler: write ${kind}("${name}", {}, () => …).`);
  }
  checkValue(`The options of ${kind} "${name}"`, options, anObject);
}

/**
 * A server without resources, tools and prompts: define them, then serve it.
 *
 * @example
 * const server = liveServer({ name: 'notes', version: '1.0.0' });
 */
export function liveServer(options: LiveServerOptions): LiveServer {
  return new LiveServer(options);
}

/**
 * Only what can be delivered is advertised. Resources always: a client that connects before the first route is
 * defined is told of it, and could not list it otherwise.
 */
function capabilitiesOf(
  directory: ResourceDirectory,
  tools: Registry<ToolDefinition>,
  prompts: Registry<PromptDefinition>,
): ServerCapabilities {
  const completes = directory.completes || [...prompts.values()].some(({ options }) => options.complete !== undefined);
  return {
    resources: { subscribe: true, listChanged: true },
    ...(tools.size > 0 && { tools: { listChanged: true } }),
    ...(prompts.size > 0 && { prompts: { listChanged: true } }),
    ...(completes && { completions: {} }),
  };
}
