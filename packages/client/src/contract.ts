// What goes over HTTP between the hub and its clients. Needs no Node: the hub, programs and the dashboard use the same.
export type { SessionStatus, TranscriptEntry } from './contract/agent-session.ts';
export { sessionStatus, sessionsAnswer, transcriptAnswer, transcriptEntry } from './contract/agent-session.ts';
export type { ErrorReason, StreamEvent, TrackerEvent, UndatedEvent } from './contract/event.ts';
export { definitionKind, eventsAnswer, streamEvent, trackerEvent } from './contract/event.ts';
export type { DefinitionsAnswer, ShownDefinition } from './contract/held-definition.ts';
export { definitionsAnswer, shownDefinition } from './contract/held-definition.ts';
export type { SampleCounts } from './contract/hub-answers.ts';
export { errorAnswer, samplesLoaded, samplesOffered, whoAmI } from './contract/hub-answers.ts';
export { requestedPattern } from './contract/requested-pattern.ts';
export type { ListedResource } from './contract/resource.ts';
export { listedResource, resourcesAnswer } from './contract/resource.ts';
export type { ServerState, ServerStatus } from './contract/server.ts';
export { serverStatus, serversAnswer } from './contract/server.ts';
export type { PatternPart, UriPattern } from './contract/uri-pattern.ts';
export { isPattern, mostWildcards, patternOf, patternParts, uriPattern, wildcardsIn } from './contract/uri-pattern.ts';
