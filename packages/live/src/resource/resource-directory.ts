// The port through which sessions list, read and watch resources. `Directory` implements it with routes, a gateway with
// other servers.
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
   * Awaited before a subscription is confirmed: from then on, every change is noticed. A rejection refuses the
   * subscription. Default: ready at once.
   */
  readonly ready?: Promise<void>;
  /** Called once. */
  end(this: void): void;
}

/** A resolved URI. The resource may not exist yet. */
export interface Resolved {
  /** The spelling under which the resource is indexed. */
  readonly canonical: string;
  /** Identifies the resource where one URI means different resources for different callers. Default: the URI. */
  readonly key?: string | undefined;
  /** The topics it depends on. */
  readonly topics: readonly string[];
  /** Updates within this time merge into one at its end. */
  readonly windowMs?: number | undefined;
  /**
   * Called while a subscription is being made, and again for as long as there are subscribers. These calls overlap, so
   * the directory shares their common work.
   */
  readonly watch?: (() => Watch) | undefined;
}

export interface Page<T> {
  items: T[];
  nextCursor?: string;
  /** Describes the page as a whole. */
  _meta?: Record<string, unknown>;
}

/** A read that needs nothing of its client's request but the URI. */
export interface PlainReadRequest {
  /** The client's name and version. */
  readonly client: { readonly name: string; readonly version: string } | undefined;
  /** Creates a signal that is aborted when the client stops waiting. */
  signal(this: void): AbortSignal;
}

/** A client that subscribes, as it describes itself. */
export interface SubscribingClient {
  /** The client's name and version. */
  readonly client: { readonly name: string; readonly version: string } | undefined;
  /** For 2025-era clients over HTTP. */
  readonly sessionId: string | undefined;
}

export interface ResourceDirectory {
  /** Whether there is anything to complete. */
  readonly completes: boolean;
  /** Whether `permits` can deny, so that it is called before each delivery. */
  readonly authorizes: boolean;
  /**
   * Whether a read failed because its client must be asked something first. Such a read is repeated with the client's
   * whole request. Undefined if reads never ask.
   */
  isQuestion?(this: void, error: unknown): boolean;
  /**
   * Whether the source of updates merges frequent ones itself. Then they are sent as soon as the work that announced
   * them is done, not at the end of the event loop's turn, behind answers that wait for the same.
   */
  readonly mergesUpdates?: boolean;
  /** Whether reads are passed on to another server with the trace context of the client's request. */
  readonly passesTrace?: boolean;
  /** Called when subscriptions are in force; URIs are in the client's spelling. */
  subscribed?(caller: Caller, uris: readonly string[], subscriber: SubscribingClient): void;
  /** Throws INVALID_URI, RESOURCE_NOT_FOUND or LIMIT_EXCEEDED; PERMISSION_DENIED if that is known without a check. */
  resolve(uri: string, caller: Caller): Resolved;
  /** Whether this caller may see this resource. The URI is canonical. */
  permits(caller: Caller, canonical: string): boolean | Promise<boolean>;
  /** `signal` is aborted when the client stops waiting for the page. */
  list(caller: Caller, cursor: string | undefined, signal?: AbortSignal): Promise<Page<Resource>>;
  templates(
    caller: Caller,
    cursor: string | undefined,
  ): Page<ResourceTemplateType> | Promise<Page<ResourceTemplateType>>;
  /** How to complete one variable of a template. Values that the caller may not read are not suggested. */
  completion(template: string, variable: string, chosen: Record<string, string>, caller: Caller): Completion;
  read(caller: Caller, uri: string, request: PlainReadRequest): Promise<ReadResourceResult>;
  /** Reads with the client's whole request, so that the client can be asked a question first. */
  read(caller: Caller, uri: string, context: CallContext): Promise<ReadResourceResult | InputRequiredResult>;
}
