// Everything that a session uses of its server.
import type { Implementation, ServerCapabilities, ServerOptions } from '@modelcontextprotocol/server';
import type { Clock } from '../time/clock.ts';
import type { LiveError } from '../base/error.ts';
import type { Log } from '../base/log.ts';
import type { Want } from '../feed/change.ts';
import type { Notifier } from '../notify/notifier.ts';
import type { Caller } from '../resource/caller.ts';
import type { ResourceDirectory } from '../resource/resource-directory.ts';
import type { Quotas } from '../quota/quotas.ts';
import type { ClientLogs } from './client/client-logs.ts';
import type { ExtensionRequests, OtherRequests } from './extension-request.ts';
import type { ListenExtensions } from './listen-extension.ts';
import type { PromptDefinition } from './prompt.ts';
import type { Registry } from './registry/registry.ts';
import type { ToolDefinition } from './tool/tool.ts';

/** What all clients together may use. The defaults are in docs/kit.md. */
export interface Limits {
  /** 2025-era sessions over HTTP. */
  sessions: number;
  /** Open listen streams and 2025-era GET streams. */
  streams: number;
  urisPerSubscriber: number;
  bodyBytes: number;
  /** Messages in one body (2025 era). */
  batch: number;
  uriLength: number;
}

export interface ServerDefinition {
  readonly info: Implementation;
  readonly instructions: string | ((caller: Caller) => string | undefined) | undefined;
  readonly capabilities: ServerCapabilities;
  /** The capabilities declared to this caller. */
  capabilitiesFor(caller: Caller): ServerCapabilities;
  readonly requestState: ServerOptions['requestState'];
  readonly directory: ResourceDirectory;
  readonly tools: Registry<ToolDefinition>;
  readonly prompts: Registry<PromptDefinition>;
  readonly notifier: Notifier;
  /** Asks the feed for changes of a topic, if the feed delivers only requested topics. */
  want?(this: void, topic: string): Want;
  readonly windowMs: number;
  readonly listWindowMs: number;
  readonly limits: Limits;
  readonly quotas: Quotas;
  readonly clock: Clock;
  readonly log: Log;
  readonly clientLogs: ClientLogs;
  readonly requests: ExtensionRequests;
  readonly otherRequests: OtherRequests | undefined;
  readonly absence: Absence | undefined;
  readonly listMeta: ListMetaOf | undefined;
  readonly listens: ListenExtensions;
}

/** Why there is no tool or prompt of this name for this caller; undefined if nothing more can be said. */
export type Absence = (list: 'tools' | 'prompts', name: string, caller: Caller) => LiveError | undefined;

/** `_meta` of the list of tools or prompts for this caller. */
export type ListMetaOf = (list: 'tools' | 'prompts', caller: Caller) => Record<string, unknown> | undefined;
