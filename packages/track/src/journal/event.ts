// The events of the tracker, in the shapes of the event stream.
import { z } from 'zod';

const timestamp = z.string();
const serverId = z.string();

export const trackerEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('resource_update'), serverId, resourceUri: z.string(), timestamp }),
  z.object({
    type: z.literal('list_changed'),
    serverId,
    added: z.array(z.string()),
    removed: z.array(z.string()),
    timestamp,
  }),
  z.object({
    type: z.literal('server_state'),
    serverId,
    state: z.enum(['live', 'connecting', 'backoff', 'unsupported', 'disabled', 'stopped']),
    detail: z.string().optional(),
    timestamp,
  }),
  z.object({
    type: z.literal('resource_error'),
    serverId,
    resourceUri: z.string().optional(),
    reason: z.enum(['unsupported', 'subscribe', 'read', 'refresh', 'connect']),
    error: z.string(),
    timestamp,
  }),
  /** A tool, prompt or the instructions of a server have changed. */
  z.object({
    type: z.literal('definition_changed'),
    serverId,
    kind: z.enum(['tool', 'prompt', 'instructions']),
    name: z.string(),
    /** It is not offered until a person agrees. */
    held: z.boolean(),
    /** The paths that changed, such as `description`, or `new`. Names only, never the server's text. */
    changes: z.array(z.string()),
    timestamp,
  }),
  /** Read again what you need, of that server or of all. */
  z.object({ type: z.literal('gap'), serverId: serverId.optional(), timestamp }),
]);

export type TrackerEvent = z.infer<typeof trackerEvent>;
export type ErrorReason = Extract<TrackerEvent, { type: 'resource_error' }>['reason'];

/** An event without its timestamp. */
export type UndatedEvent = TrackerEvent extends infer E
  ? E extends TrackerEvent
    ? Omit<E, 'timestamp'>
    : never
  : never;
