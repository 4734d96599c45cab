// Decides which part of a listen filter is honored: the lists that the SDK let through, and the URIs that match a route
// and that this caller may read.
import type { SubscriptionFilter } from '@modelcontextprotocol/server';
import { LiveError } from '../../base/error.ts';
import type { ListName } from '../../feed/change.ts';
import type { Subscriber } from '../../notify/subscriber.ts';
import type { Target } from '../../notify/watched.ts';
import type { Caller } from '../../resource/caller.ts';
import { TimeSlice } from '../../time/time-slice.ts';
import type { ServerDefinition } from '../../definition/server-definition.ts';
import { HeldReady } from '../held-ready.ts';
import { permittedTarget, watchList } from '../subscribe.ts';
import { internalError } from '../../definition/answer/wire-error.ts';
import type { RequestId } from './frames.ts';
import { PushedNotifications } from './pushed-notifications.ts';

export interface Honored {
  filter: SubscriptionFilter;
  /** The notifications of extensions on this stream; stopped when the stream ends. */
  pushed: PushedNotifications | undefined;
  targets: readonly Target[];
  /** Call it once the targets are watched, or will not be. */
  release(this: void): void;
}

/** A listen request, and the part of its filter that the capabilities allow. */
interface AskedListen {
  id: RequestId;
  params?: unknown;
  filter: SubscriptionFilter;
}

/** Thousands of URIs are processed in slices; stops early if `isGone` says that the client has disconnected. */
export async function honor(
  definition: ServerDefinition,
  caller: Caller,
  { id, params, filter: requested }: AskedListen,
  isGone: () => boolean,
): Promise<Honored> {
  const { resourceSubscriptions, ...lists } = requested;
  const { urisPerSubscriber } = definition.limits;
  const uris = new Set(resourceSubscriptions);
  if (uris.size > urisPerSubscriber) {
    const message = `One listen request may name ${urisPerSubscriber} resources: spread them over several.`;
    throw new LiveError('LIMIT_EXCEEDED', message);
  }
  const honored: string[] = [];
  const targets: Target[] = [];
  const slice = new TimeSlice(definition.clock);
  for (const uri of uris) {
    const pause = slice.pause();
    if (pause) await pause;
    if (isGone()) break;
    const target = await targetOrNothing(definition, caller, uri);
    if (!target) continue;
    honored.push(uri);
    targets.push(target);
  }
  const held = new HeldReady();
  try {
    await held.all(targets, slice, isGone);
    const pushed = await PushedNotifications.begin(definition, caller, id, params);
    const filter = { ...lists, ...(honored.length > 0 && { resourceSubscriptions: honored }), ...pushed?.filter };
    return { filter, targets, pushed, release: () => held.release() };
  } catch (error) {
    held.release();
    throw error;
  }
}

export function isEmpty({ filter }: Honored): boolean {
  return Object.keys(filter).length === 0;
}

/** The sink must not be ready before this has ended, or updates could precede the acknowledgement. */
export async function watchHonored(
  definition: ServerDefinition,
  subscriber: Subscriber,
  { filter, targets }: Honored,
): Promise<void> {
  const lists: [ListName, boolean | undefined][] = [
    ['resources', filter.resourcesListChanged],
    ['tools', filter.toolsListChanged],
    ['prompts', filter.promptsListChanged],
  ];
  for (const [list, isAsked] of lists) if (isAsked) watchList(definition, subscriber, list);
  const slice = new TimeSlice(definition.clock);
  for (const target of targets) {
    const pause = slice.pause();
    if (pause) await pause;
    if (subscriber.isClosed) return;
    subscriber.subscribe(target);
  }
}

/** Undefined if the URI is refused or its route fails: it is left out, and the others are not affected. */
async function targetOrNothing(definition: ServerDefinition, caller: Caller, uri: string): Promise<Target | undefined> {
  try {
    return await permittedTarget(definition, caller, uri);
  } catch (error) {
    if (!(error instanceof LiveError)) internalError(error, { uri }, definition.log);
    return undefined;
  }
}
