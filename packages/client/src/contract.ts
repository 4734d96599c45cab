// The schemas of what the hub answers and streams over HTTP. Needs no Node: the hub, programs and the dashboard import
// the same.
export type { SessionStatus, TranscriptEntry } from './contract/agent-session.ts';
export { sessionStatus, sessionsAnswer, transcriptAnswer, transcriptEntry } from './contract/agent-session.ts';
export { byteCount } from './contract/byte-count.ts';
export type { ClientStatus, ClientsAnswer } from './contract/client.ts';
export { clientStatus, clientsAnswer } from './contract/client.ts';
export type { ErrorReason, StreamEvent, TrackerEvent, UndatedEvent } from './contract/event.ts';
export type { EventFilter, EventFilterOptions } from './contract/event-filter.ts';
export { eventFilter } from './contract/event-filter.ts';
export { definitionKind, eventType, eventsAnswer, streamEvent, trackerEvent, urisOf } from './contract/event.ts';
export type { DefinitionsAnswer, ShownDefinition } from './contract/held-definition.ts';
export { definitionsAnswer, shownDefinition } from './contract/held-definition.ts';
export type { SampleCounts, WhoAmI } from './contract/hub-answers.ts';
export { errorAnswer, samplesLoaded, samplesOffered, whoAmI } from './contract/hub-answers.ts';
export type { UserLoginsAnswer } from './contract/login.ts';
export { begunLogin, endedLogin, loginCallback, loginRequest, userLogin, userLoginsAnswer } from './contract/login.ts';
export { longestCallMs, longestWaitMs } from './contract/longest-call.ts';
export { requestedPattern } from './contract/requested-pattern.ts';
export type { AddServerRequest, AddedServer, AttachField, AttachRequest, ServerPatch } from './contract/requests.ts';
export { addedServer, attachRequest, serverPatch } from './contract/requests.ts';
export type { ListedResource } from './contract/resource.ts';
export { listedResource, resourcesAnswer } from './contract/resource.ts';
export type {
  DeadLettersAnswer,
  DestinationsAnswer,
  SchedulesAnswer,
  ShownOneOff,
  ShownSchedule,
  TopicHistory,
} from './contract/schedule.ts';
export { deadLettersAnswer, destinationsAnswer, schedulesAnswer, topicHistory } from './contract/schedule.ts';
export type { ServerState, ServerStatus, ServersAnswer } from './contract/server.ts';
export { pingAnswer, serverLog, serverStatus, serversAnswer } from './contract/server.ts';
export type { KeptVersion, VersionAnswer, VersionsAnswer } from './contract/version.ts';
export { keptVersion, versionAnswer, versionsAnswer } from './contract/version.ts';
export type { PatternPart, UriPattern } from './contract/uri-pattern.ts';
export { isPattern, mostWildcards, patternOf, patternParts, uriPattern, wildcardsIn } from './contract/uri-pattern.ts';
export type { ListedTemplatePart, ParsedTemplate, StepBudget, TemplateToken } from './contract/uri-template.ts';
export {
  expandedTemplate,
  matchesTemplate,
  parseTemplate,
  schemeOf,
  templateTokens,
  templateVariables,
} from './contract/uri-template.ts';
