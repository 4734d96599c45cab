// What goes over HTTP between the hub and its clients, and the client of its event stream. Needs no Node: the hub,
// programs and the dashboard use the same.
export type { SessionStatus, TranscriptEntry } from './contract/agent-session.ts';
export { sessionStatus, sessionsAnswer, transcriptAnswer, transcriptEntry } from './contract/agent-session.ts';
export type { StreamEvent, TrackerEvent } from './contract/event.ts';
export { definitionKind, eventsAnswer, streamEvent, trackerEvent } from './contract/event.ts';
export { eventFrames } from './contract/event-frames.ts';
export type { EventStreamClientOptions, StreamState } from './contract/event-stream-client.ts';
export { EventStreamClient } from './contract/event-stream-client.ts';
export type { DefinitionsAnswer, ShownDefinition } from './contract/held-definition.ts';
export { definitionsAnswer, shownDefinition } from './contract/held-definition.ts';
export type { SampleCounts } from './contract/hub-answers.ts';
export { errorAnswer, samplesLoaded, samplesOffered, whoAmI } from './contract/hub-answers.ts';
export { requestedPattern } from './contract/requested-pattern.ts';
export type { ListedResource } from './contract/resource.ts';
export { listedResource, resourcesAnswer } from './contract/resource.ts';
export type { ServerStatus } from './contract/server.ts';
export { serverStatus, serversAnswer } from './contract/server.ts';
export type { PatternPart, UriPattern } from './contract/uri-pattern.ts';
export { isPattern, mostWildcards, patternOf, patternParts, uriPattern, wildcardsIn } from './contract/uri-pattern.ts';
