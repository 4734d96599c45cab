// What a session asks about resources. `Directory` answers from routes; a gateway answers from other servers.
import type {
  InputRequiredResult,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
} from '@modelcontextprotocol/server';
import type { CallContext } from './call-context.ts';
import type { Caller } from './caller.ts';
import type { Completion } from './complete.ts';

/** A resource that is being watched. */
export interface Watch {
  /**
   * Waited for before a subscription is confirmed: from then on, every change is noticed. If it rejects, the
   * subscription is refused. Default: at once.
   */
  readonly ready?: Promise<void>;
  /** Called once. */
  end(this: void): void;
}

/** One resource, whether or not it exists yet. */
export interface Resolved {
  /** The one spelling under which it is known inside. */
  readonly canonical: string;
  /** Set where one URI is another resource for another caller: differs where they differ. Default: the URI. */
  readonly key?: string | undefined;
  /** What it depends on. */
  readonly topics: readonly string[];
  /** Updates that follow each other within this time merge into one at its end. */
  readonly windowMs?: number | undefined;
  /**
   * Called while a subscription is being made, and for as long as there are subscribers. Such calls overlap, so what
   * they have in common is shared by the directory.
   */
  readonly watch?: (() => Watch) | undefined;
}

export interface Page<T> {
  items: T[];
  nextCursor?: string;
}

/** A client's read that says nothing but what is to be read. */
export interface PlainReadRequest {
  /** What the client calls itself. */
  readonly client: { readonly name: string; readonly version: string } | undefined;
  /** Makes one that is aborted when the client no longer waits. */
  signal(this: void): AbortSignal;
}

/** Who subscribes: what is known of a client besides its credential. */
export interface SubscribingClient {
  /** What it calls itself. */
  readonly client: { readonly name: string; readonly version: string } | undefined;
  /** Of a 2025-era client. */
  readonly sessionId: string | undefined;
}

export interface ResourceDirectory {
  /** Whether there is anything to complete. */
  readonly completes: boolean;
  /** Whether `permits` ever says no, so that delivery has to ask it. */
  readonly authorizes: boolean;
  /**
   * Whether a read failed because its client has to be asked something first: such a read is made again, with the
   * client's request. Undefined if reads never ask.
   */
  isQuestion?(this: void, error: unknown): boolean;
  /**
   * Whether frequent updates are merged where they come from. Then they are sent as soon as the work is done that
   * announced them, not at the end of the turn of the event loop, for which answers may be waiting as well.
   */
  readonly mergesUpdates?: boolean;
  /** Whether reads go on to another server with their trace context, which comes with the client's request. */
  readonly passesTrace?: boolean;
  /** Told of subscriptions that are in force, in the client's spelling. */
  subscribed?(caller: Caller, uris: readonly string[], subscriber: SubscribingClient): void;
  /** Throws INVALID_URI, RESOURCE_NOT_FOUND or LIMIT_EXCEEDED, or PERMISSION_DENIED where that is known already. */
  resolve(uri: string, caller: Caller): Resolved;
  /** Whether this caller may see this resource. The URI is canonical. */
  permits(caller: Caller, canonical: string): boolean | Promise<boolean>;
  /** `signal` is aborted when the client no longer waits for the page. */
  list(caller: Caller, cursor: string | undefined, signal?: AbortSignal): Promise<Page<Resource>>;
  templates(
    caller: Caller,
    cursor: string | undefined,
  ): Page<ResourceTemplateType> | Promise<Page<ResourceTemplateType>>;
  /** How one variable of a template is completed. What a caller may not read is not suggested either. */
  completion(template: string, variable: string, chosen: Record<string, string>, caller: Caller): Completion;
  read(caller: Caller, uri: string, request: PlainReadRequest): Promise<ReadResourceResult>;
  /** With the request of an MCP client, which may have to answer a question first. */
  read(caller: Caller, uri: string, context: CallContext): Promise<ReadResourceResult | InputRequiredResult>;
}
