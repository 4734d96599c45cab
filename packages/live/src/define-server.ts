// Turns the options of a server into the `ServerDefinition` that its sessions use.
import { systemClock } from './time/clock.ts';
import type { ChangeFeed } from './feed/change.ts';
import { MemoryFeed } from './feed/memory-feed.ts';
import { type LiveServerOptions, defaultLimits } from './live-server-options.ts';
import { stderrLog, unfailing } from './base/log.ts';
import { Notifier } from './notify/notifier.ts';
import { noQuotas } from './quota/quotas.ts';
import type { Caller } from './resource/caller.ts';
import { Directory } from './resource/directory.ts';
import { capabilitiesOf } from './definition/capabilities.ts';
import { ClientLogs } from './definition/client/client-logs.ts';
import type { ServerDefinition } from './definition/server-definition.ts';

const done = Promise.resolve();
/** Like `queueMicrotask`, but faster: that opens an asynchronous scope for each task. */
const afterThisTask = (task: () => void): void => void done.then(task);

/** Stands for all callers where the answer is the same for each of them. */
const anyCaller: Caller = { era: 'modern', transport: 'memory' };

interface ServerParts {
  definition: ServerDefinition;
  feed: ChangeFeed;
  /** The routes that the server defines itself; `definition.directory` may be another one. */
  ownDirectory: Directory;
}

export function defineServer(
  options: LiveServerOptions,
  registries: Pick<ServerDefinition, 'tools' | 'prompts'>,
): ServerParts {
  const {
    info: infoNow,
    instructions,
    resources,
    feed: givenFeed,
    authorize,
    windowMs = 50,
    listWindowMs = windowMs,
    ignoreTrailingSlash = false,
    pageSize = 1000,
    limits: givenLimits,
    quotas = noQuotas,
    capabilities,
    requests = {},
    otherRequests,
    absence,
    listMeta,
    listens = {},
    requestState,
    clock = systemClock,
    log: givenLog = stderrLog,
    ...info
  } = options;
  const log = unfailing(givenLog);
  const limits = { ...defaultLimits, ...givenLimits };
  const { uriLength: maxUriLength } = limits;
  const ownDirectory = new Directory({ authorize, pageSize, maxUriLength, ignoreTrailingSlash, log });
  const directory = resources ?? ownDirectory;
  const feed: ChangeFeed = givenFeed ?? new MemoryFeed();
  const want = feed.want?.bind(feed);
  const notifier = new Notifier(clock, log, resources?.mergesUpdates ? afterThisTask : undefined, want);
  const { tools, prompts } = registries;
  const more = (caller: Caller) => (typeof capabilities === 'function' ? capabilities(caller) : capabilities) ?? {};
  const definition: ServerDefinition = {
    get info() {
      return infoNow?.() ?? info;
    },
    instructions,
    requests,
    otherRequests,
    absence,
    listMeta,
    listens,
    requestState,
    directory,
    tools,
    prompts,
    notifier,
    ...(want && { want }),
    windowMs,
    listWindowMs,
    limits,
    quotas,
    clock,
    log,
    clientLogs: new ClientLogs({ clock, log, isOffered: () => more(anyCaller).logging !== undefined }),
    get capabilities() {
      return this.capabilitiesFor(anyCaller);
    },
    capabilitiesFor: (caller) => capabilitiesOf(directory, tools, prompts, more(caller)),
  };
  return { definition, feed, ownDirectory };
}
