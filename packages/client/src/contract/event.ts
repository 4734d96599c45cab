// The events of the journal, as they are on the event stream and in `GET /api/events`.
import * as z from 'zod/mini';
import { serverState } from './server.ts';

const timestamp = z.string();
const serverId = z.string();
/** Of a server with `"login": "per-user"`: as the operator's own login sees it, so other callers do not get the event. */
const operatorOnly = z.optional(z.literal(true));
export const definitionKind = z.enum(['tool', 'prompt', 'instructions', 'server']);

const trackerEvents = [
  z.object({ type: z.literal('resource_update'), serverId, resourceUri: z.string(), operatorOnly, timestamp }),
  z.object({
    type: z.literal('list_changed'),
    serverId,
    added: z.array(z.string()),
    removed: z.array(z.string()),
    operatorOnly,
    timestamp,
  }),
  z.object({
    type: z.literal('server_state'),
    serverId,
    state: serverState,
    detail: z.optional(z.string()),
    operatorOnly,
    timestamp,
  }),
  z.object({
    type: z.literal('resource_error'),
    serverId,
    resourceUri: z.optional(z.string()),
    reason: z.enum(['unsupported', 'subscribe', 'read', 'refresh', 'connect']),
    error: z.string(),
    operatorOnly,
    timestamp,
  }),
  /** A tool, prompt or the instructions of a server have changed. */
  z.object({
    type: z.literal('definition_changed'),
    serverId,
    kind: definitionKind,
    name: z.string(),
    /** Whether it is withheld until a person agrees. */
    held: z.boolean(),
    /** The paths that changed, such as `description`, or `new`. Names only, never the server's text. */
    changes: z.array(z.string()),
    operatorOnly,
    timestamp,
  }),
  /** Updates may have been missed: read again what matters, of that server or of all. */
  z.object({ type: z.literal('gap'), serverId: z.optional(serverId), operatorOnly, timestamp }),
] as const;

export const trackerEvent = z.discriminatedUnion('type', trackerEvents);
export const eventType = z.enum(trackerEvents.flatMap(({ shape }) => shape.type.def.values));

/** The resources that an event names. */
export function urisOf(event: TrackerEvent): string[] {
  if (event.type === 'list_changed') return [...event.added, ...event.removed];
  return 'resourceUri' in event && event.resourceUri !== undefined ? [event.resourceUri] : [];
}

/** An event of the journal of a hub. */
export type TrackerEvent = z.infer<typeof trackerEvent>;
export type ErrorReason = Extract<TrackerEvent, { type: 'resource_error' }>['reason'];

/** An event without its timestamp. */
export type UndatedEvent = TrackerEvent extends infer E
  ? E extends TrackerEvent
    ? Omit<E, 'timestamp'>
    : never
  : never;

/** The event stream: a handshake, then the journal's events. */
export const streamEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('handshake'), cursor: z.string(), timestamp }),
  ...trackerEvents,
]);
/** An event of the stream: a handshake, then journal events. */
export type StreamEvent = z.infer<typeof streamEvent>;

export const eventsAnswer = z.object({
  events: z.array(z.intersection(z.object({ cursor: z.string() }), trackerEvent)),
  cursor: z.string(),
  has_more: z.boolean(),
  has_gap: z.boolean(),
});
