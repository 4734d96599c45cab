// The definition of a server: resources, tools and prompts, the feed on which they announce changes, and the notifier
// that follows the feed. The modules in serve/ make it reachable.
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { aFunction, aText, anObject, checkValue } from './base/check-options.ts';
import { type ChangeFeed, type ListName, listTopics } from './feed/change.ts';
import type { Directory } from './resource/directory.ts';
import type { CallContext } from './resource/call-context.ts';
import type { RouteOptions } from './resource/route.ts';
import type { AnyParams, Params, Supported } from './resource/template-params.ts';
import type { ServerDefinition } from './definition/server-definition.ts';
import {
  type PromptAnswer,
  type PromptDefinition,
  type PromptHandler,
  type PromptOptions,
  assertPrompt,
} from './definition/prompt.ts';
import { type LiveServerOptions, checkServerOptions } from './live-server-options.ts';
import { defineServer } from './define-server.ts';
import { Trouble } from './base/trouble.ts';
import { rebind, watchedOf } from './definition/rebind.ts';
import type { Registration } from './definition/registry/registration.ts';
import { Registry } from './definition/registry/registry.ts';
import {
  type ToolAnswer,
  type ToolDefinition,
  type ToolHandler,
  type ToolOptions,
  assertTool,
} from './definition/tool/tool.ts';

/** Template parameters as arguments: optional if the template has no required ones. */
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

/**
 * Resources, tools and prompts, defined once for any number of clients. Made by `liveServer`.
 *
 * @example
 * await serveHttp(new LiveServer({ name: 'notes', version: '1.0.0' }))
 */
export class LiveServer {
  /** For the modules in serve/. */
  readonly definition: ServerDefinition;
  /** Problems of what this server depends on; a hub shows them beside the server's state. */
  readonly trouble = new Trouble();
  readonly #feed: ChangeFeed;
  readonly #stopFollowing: () => void;
  readonly #releases: (() => void | Promise<void>)[] = [];
  readonly #directory: Directory;
  readonly #tools = new Registry<ToolDefinition>(() => this.#notifyListChanged('tools'));
  readonly #prompts = new Registry<PromptDefinition>(() => this.#notifyListChanged('prompts'));

  constructor(options: LiveServerOptions) {
    checkServerOptions(options);
    const { definition, feed, ownDirectory } = defineServer(options, { tools: this.#tools, prompts: this.#prompts });
    this.definition = definition;
    this.#feed = feed;
    this.#directory = ownDirectory;
    this.#stopFollowing = this.#feed.follow({
      change: ({ topics }) => this.#notify(topics),
      gap: () => definition.notifier.gap(),
      isSelective: true,
    });
  }

  /**
   * Defines the resources of one URI template: `{x}` is a segment or a part of one (`{x}.json`), `{+x}` the rest,
   * `{/x}` an optional segment, `{?x,y}` the query.
   *
   * @example
   * const note = server.resource('note://{id}', { read: ({ id }) => notes.get(id) ?? notFound() });
   * note.changed({ id: 'today' });
   */
  resource<const T extends string>(template: Supported<T>, options: RouteOptions<Params<T>>): RouteHandle<Params<T>>;
  resource(template: string, options: RouteOptions<AnyParams>): RouteHandle<AnyParams> {
    if (this.definition.directory !== this.#directory) {
      throw new TypeError(
        `"${template}" would not be served: the resources of this server are those of \`resources\`.`,
      );
    }
    const [definition, directory] = [this.definition, this.#directory];
    const route = directory.add(template, options);
    rebind(watchedOf(route, definition, directory), definition, directory);
    this.#notifyListChanged('resources');
    const uri = (params: AnyParams = {}) => route.template.expand(params);
    const announceWithList = (params?: AnyParams) => this.announce(uri(params), listTopics.resources);
    return {
      uri,
      changed: (params) => this.announce(uri(params)),
      added: announceWithList,
      removed: announceWithList,
      remove: () => {
        const watched = watchedOf(route, definition, directory);
        if (!directory.remove(route)) return;
        rebind(watched, definition, directory);
        this.#notifyListChanged('resources');
      },
    };
  }

  /**
   * Makes the resources of `target`, a template that is already defined, reachable under the URIs of another template
   * too.
   *
   * @example
   * server.alias('old://{id}', 'note://{id}');
   */
  alias(template: string, target: string): void {
    this.#directory.alias(template, target);
  }

  /**
   * Defines a tool. Its handler returns text, JSON, nothing or a `toolResult()`; with `output`, a value of that shape.
   * Connected clients are notified of the new tool.
   *
   * @example
   * server.tool('add', { input: z.object({ a: z.number(), b: z.number() }) }, ({ a, b }) => a + b);
   */
  tool<
    Input extends StandardSchemaWithJSON,
    Output extends StandardSchemaWithJSON,
    // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- `const` keeps literals of the answer
    const Answer extends ToolAnswer<Output>,
  >(
    name: string,
    options: ToolOptions<Input, Output>,
    handler: (args: StandardSchemaWithJSON.InferOutput<Input>, context: CallContext) => Answer,
  ): Registration;
  tool(name: string, options: ToolDefinition['options'], handler: ToolHandler): Registration {
    checkDefinition('tool', name, options, handler);
    assertTool(name, { options, handler });
    return this.#tools.add(name, { options, handler });
  }

  /**
   * Defines a prompt. Its handler returns a text, which becomes one message of the user, or `{ messages }`.
   *
   * @example
   * server.prompt('greet', { args: z.object({ name: z.string() }) }, ({ name }) => `Say hello to ${name}.`);
   */
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

  /**
   * Announces that these topics changed: every resource that depends on one of them is stale. A URI may be in any
   * spelling.
   */
  announce(...topics: string[]): void {
    const { log } = this.definition;
    for (const topic of topics) if (typeof topic !== 'string') checkValue('A topic', topic, aText);
    const announcing = this.#feed.announce(topics);
    announcing?.catch((error: unknown) => {
      log.error(
        { err: error, topics },
        'A change could not be announced on the feed; only clients of this process are notified.',
      );
      this.#notify(topics);
    });
  }

  /** Announces that the list of resources changed. */
  listChanged(): void {
    this.announce(listTopics.resources);
  }

  /** The notifier's counters and current subscribers. */
  stats() {
    const { counters, subscribers, interest } = this.definition.notifier;
    return { ...counters, subscribers, watched: interest.size };
  }

  /** Registers something to release when the server is closed: a timer, a watcher, a socket. */
  onClose(release: () => void | Promise<void>): void {
    checkValue('What onClose is given', release, aFunction);
    this.#releases.push(release);
  }

  /**
   * Stops following the feed and runs everything registered with `onClose`, even if some of it fails; then rejects with
   * the first failure. Connections are closed by the endpoints that opened them.
   */
  async close(): Promise<void> {
    this.#stopFollowing();
    const failures: unknown[] = [];
    for (const release of this.#releases.splice(0)) {
      try {
        await release();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Makes topics that are URIs canonical, as the topics of subscriptions are. */
  #notify(topics: readonly string[]): void {
    const { directory, notifier } = this.definition;
    // A directory other than ours announces the same topics that it resolves URIs to.
    if (directory !== this.#directory) return notifier.change({ topics });
    const others: string[] = [];
    for (const topic of topics) {
      const canonical = this.#directory.canonical(topic);
      if (canonical !== topic) others.push(canonical);
    }
    notifier.change({ topics: others.length === 0 ? topics : [...topics, ...others] });
  }

  /** Tools and prompts belong to this process, so their list changes are not announced on the feed. */
  #notifyListChanged(list: ListName): void {
    this.definition.notifier.change({ topics: [listTopics[list]] });
  }
}

/** Reports `tool(name, handler)`, a likely mistake. */
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
