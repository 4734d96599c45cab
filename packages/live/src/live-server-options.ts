// The options of a server: types, computed defaults, and the check of the values that a program passes.
import type { Implementation, ServerCapabilities, ServerOptions } from '@modelcontextprotocol/server';
import {
  aBoolean,
  aCount,
  aFunction,
  aList,
  aString,
  aText,
  anObject,
  checkOptions,
  either,
  functions,
  having,
  milliseconds,
} from './base/check-options.ts';
import type { ChangeFeed } from './feed/change.ts';
import type { Log } from './base/log.ts';
import type { Authorize } from './resource/directory.ts';
import type { Caller } from './resource/caller.ts';
import type { ResourceDirectory } from './resource/resource-directory.ts';
import type { Absence, ServerDefinition, Limits, ListMetaOf } from './definition/server-definition.ts';
import type { ExtensionRequests, OtherRequests } from './definition/extension-request.ts';
import type { ListenExtensions } from './definition/listen-extension.ts';
import type { Quotas } from './quota/quotas.ts';
import type { Clock } from './time/clock.ts';

/** A server's name and version, and the options that differ from their defaults. */
export interface LiveServerOptions extends Implementation {
  /**
   * The current name and version, where they can change: for a gateway to one server. Default: `name` and `version`.
   */
  info?: () => Implementation;
  /** What a model should know before it uses this server. A function is called for each caller. Default: none. */
  instructions?: ServerDefinition['instructions'];
  /** Where resources come from instead of routes. Default: the routes defined with `resource()`. */
  resources?: ResourceDirectory;
  /** Where changes come from. Default: this process only. */
  feed?: ChangeFeed;
  /** Called for every resource that is listed, read, subscribed to or notified. The URI is canonical. Default: yes. */
  authorize?: Authorize;
  /** Updates of one URI within this time after another merge into one. Default: 50. */
  windowMs?: number;
  /** The same for changes of a list. Default: `windowMs`. */
  listWindowMs?: number;
  /** Treats `notes://today/` as `notes://today`. Default: false. */
  ignoreTrailingSlash?: boolean;
  /** How many resources one page of a list has. Default: 1000; many clients give up after 64 pages. */
  pageSize?: number;
  /** What all clients together may use. Default: 10,000 sessions, streams and URIs per stream; bodies of 4 MiB. */
  limits?: Partial<Limits>;
  /** What one caller may use of those limits. Default: all of them. See `SubjectQuotas`. */
  quotas?: Quotas;
  /**
   * Capabilities to advertise besides those that follow from the definitions, such as `{ logging: {} }` for the `log`
   * of handlers. A function is called for each caller. List capabilities are the same for all callers. Default: none.
   */
  capabilities?: ServerCapabilities | ((caller: Caller) => ServerCapabilities);
  /** Answers to requests of extensions that `capabilities` advertises, by method. Default: none. */
  requests?: ExtensionRequests;
  /** Answers requests whose methods are not known in advance; used by a gateway. Default: none. */
  otherRequests?: OtherRequests;
  /**
   * Why a tool or prompt that a client names is not there, if that can be said; used by a gateway. Default: there is none
   * of that name.
   */
  absence?: Absence;
  /** `_meta` of the lists of tools and prompts, as a gateway passes it on. Default: none. */
  listMeta?: ListMetaOf;
  /** Parts of a listen filter (2026-07-28) that extensions define, by the name of the filter's field. Default: none. */
  listens?: ListenExtensions;
  /**
   * Verifies the state that comes back to a tool or prompt which asked for input. Default: the state is not verified.
   */
  requestState?: ServerOptions['requestState'];
  /** Where failures are reported. Default: `stderrLog`; a pino logger fits. */
  log?: Log;
  /** Default: real time. Tests pass a `FakeClock`. */
  clock?: Clock;
}

/** See docs/kit.md. */
export const defaultLimits: Limits = {
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
  icons: aList,
  info: aFunction,
  instructions: either(aString, aFunction),
  resources: having('resolve', 'read', 'list'),
  feed: having('announce', 'follow'),
  authorize: aFunction,
  windowMs: milliseconds,
  listWindowMs: milliseconds,
  ignoreTrailingSlash: aBoolean,
  pageSize: aCount,
  limits: anObject,
  quotas: having('hold', 'request'),
  capabilities: either(anObject, aFunction),
  requests: functions,
  otherRequests: aFunction,
  absence: aFunction,
  listMeta: aFunction,
  listens: functions,
  requestState: having('verify'),
  log: having('warn', 'error'),
  clock: having('now', 'date', 'defer', 'after'),
};

/** Throws a `TypeError` that names the first mistake. */
export function checkServerOptions(options: LiveServerOptions): void {
  checkOptions('liveServer', options, serverChecks, ['name', 'version']);
  checkOptions('limits of liveServer', options.limits ?? {}, limitChecks);
}
