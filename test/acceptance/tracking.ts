// Requirements of users of a voice-chat application with tracked resources: the tracked servers, and notifications.
import { differs, rowsOf, works } from './acceptance-row.ts';

const story = 'test/track/story.test.ts';
const sessions = 'test/hub/sessions.test.ts';
const hubSessions = 'test/hub/hub-sessions.test.ts';
const ports = 'test/hub/ports.test.ts';
const stream = 'test/track/stream.test.ts';
const page = 'test/e2e/mcp-resource-tracking.spec.ts';

const flag = '`config/mcp-servers.json` supports `trackResources` (default `false`) and rejects non-boolean values';
const enabling =
  'Enabling the flag triggers `resources/list` + `resources/subscribe` for every resource exposed by that server within 5 seconds of process start';
const disabling = 'Removing or disabling the flag stops any active subscriptions within 5 seconds of reload/stop';
const lacking =
  'Servers that lack MCP `resources` capability log a warning and skip tracking without crashing the manager';
const listChanged =
  '`notifications/resources/list_changed` triggers a fresh list+subscribe cycle and replaces previous subscriptions atomically';
const retries =
  'Tracker retries transient failures (e.g., network) with exponential backoff capped at 30s and surfaces errors via telemetry';
const duplicates =
  'Duplicate notifications for the same resource URI within 2 seconds are de-duped to a single downstream update event';
const restarts = 'Tracker survives MCP server restarts by re-establishing subscriptions without manual intervention';
const updated =
  'When a subscribed resource fires `notifications/resources/updated`, VibeChat emits a lightweight event containing `serverId`, `resourceUri`, and a timestamp within 3 seconds of receipt';
const injected =
  'The realtime adapter receives the event and immediately injects a transcript message formatted as `Resource <URI> updated for MCP server <serverId> at <timestamp>` (timestamp in ISO 8601) without blocking the notification path';
const exposed =
  'Updates are also exposed via a server-sent events (SSE) endpoint so UI components can reflect resource activity';

const document = 'Feature: MCP resources tracking';

export const trackingRows = rowsOf('tracking', document, {
  Overview: [
    works(story, enabling, { mirrored: 'Updates of chosen servers are followed without further ado.' }),
    works(story, flag, { 'opt-in': 'A server is followed where its entry says so.' }),
    works(hubSessions, 'get only the requested updates, with the content or the difference', {
      readable: 'Sessions are told in words that a person can read.',
    }),
  ],
  'Problem Statement': [
    works(story, injected, { 'no-restart': 'A session learns of a change without being opened anew.' }),
    works(hubSessions, "begin with the transcript, which shows an agent's lines, and can be followed", {
      'no-redeploy': 'Nothing has to be started again when a resource is edited.',
    }),
  ],
  'Story 1: Opt-in resource tracking per server': [
    works(story, flag, {
      flag: 'config/mcp-servers.json has trackResources.',
      'flag-default': 'It is false where it is not given.',
      'flag-boolean': 'Other values than true and false are refused.',
    }),
    works(story, enabling, {
      lists: 'A tracked server is listed when it starts.',
      subscribes: 'Every resource of it is subscribed to.',
      'subscribes-soon': 'That takes at most five seconds.',
    }),
    works(story, disabling, {
      'flag-off': 'Switching the flag off ends its subscriptions.',
      'entry-removed': 'So does removing its entry.',
      'flag-off-soon': 'That takes at most five seconds.',
    }),
    works(story, lacking, {
      'no-resources-warned': 'A server without resources is a warning in the log.',
      'no-resources': 'It is skipped, and the others are followed.',
    }),
  ],
  'Story 2: Consistent subscription lifecycle': [
    works(story, listChanged, {
      'list-changed': 'A changed list is read again.',
      'list-subscriptions': 'The subscriptions follow it.',
      'list-atomic': 'They are replaced at once: no update is lost meanwhile.',
    }),
    works(story, retries, {
      retries: 'Failures that may pass are retried.',
      backoff: 'The pauses grow, up to 30 seconds.',
      'errors-shown': 'Errors are reported.',
    }),
    works(story, duplicates, { duplicates: 'Repeated updates of a resource within two seconds are one event.' }),
    works('test/track/defects.test.ts', 'never loses the last update of a burst', {
      'last-of-burst': 'The last of them is not lost.',
    }),
    works(story, restarts, { restart: 'Subscriptions are made again when a server restarts.' }),
    works('test/track/faults.test.ts', 'is killed: changes made meanwhile are reported, and only those', {
      'changed-meanwhile': 'What changed while it was away is told.',
    }),
  ],
  'Story 3: Realtime agent notified of content updates': [
    works(story, updated, {
      event: 'An update becomes an event.',
      'event-server': 'It has serverId.',
      'event-uri': 'It has resourceUri.',
      'event-time': 'It has a timestamp.',
      'event-soon': 'It comes within three seconds.',
    }),
    works(story, injected, {
      line: 'A realtime session gets a message about it at once.',
      'line-words': 'It is "Resource <URI> updated for MCP server <serverId> at <timestamp>".',
      'line-time': 'Its time is ISO 8601.',
      'line-not-blocking': 'A slow session holds nobody else up.',
    }),
    works(story, exposed, { sse: 'Updates are on a stream of server-sent events.' }),
    works('test/dashboard/views.test.ts', 'shows the timeline: filtered, paused and resumed without missing events', {
      'sse-page': 'A page shows them.',
    }),
  ],
  'Success Metrics': [
    works('test/hub/agent-session.test.ts', 'is measured from the event on, also through an outage', {
      'latency-known': 'How soon sessions are told is measured.',
    }),
    works(hubSessions, 'do not delay each other', { 'latency-load': 'Many sessions are told within three seconds.' }),
    works('test/track/defects.test.ts', 'lists a server without resources once per connection', {
      'few-errors': 'Coming and going servers are few errors.',
    }),
  ],
  'Out of Scope': [
    differs(
      'test/hub/versions.test.ts',
      'are listed in order, each with its contents, however they were read',
      'earlier versions of a tracked resource are kept, as many as the configuration says; such applications often keep only the latest.',
      { 'latest-only': 'Only the latest content is kept.' },
    ),
    differs(
      'test/schedules/destinations.test.ts',
      'sends to the destination of the topic or the schedule, and names it in every result',
      'notifications of schedules can go to e-mail, chats and webhooks; updates of resources go to sessions, the event stream and the page.',
      { 'realtime-only': 'Nothing is sent to e-mail or chats.' },
    ),
  ],
  Dependencies: [
    works(
      'test/track/subscriptions.test.ts',
      'that has no subscriptions is polled, and only real changes are reported',
      {
        'servers-without-subscribe': 'A server that cannot be subscribed to is followed too.',
      },
    ),
    works(sessions, 'gets exactly the line, as a system message that requests no response', {
      'system-message': 'The message is one of the system, and asks for no answer.',
    }),
    works('test/track/processes.test.ts', 'is ended together with its child processes, even if they ignore signals', {
      lifecycle: 'Server processes are started and ended with the hub.',
    }),
    works('test/hub/agent-session.test.ts', 'is reported in one line, for one server or for all', {
      telemetry: 'What could not be told is known.',
    }),
  ],
  Assumptions: [
    works('test/hub/agent-contents.test.ts', 'are cut, and pictures are summed up', {
      binary: 'Binary contents are summed up.',
    }),
    works(sessions, 'between turns: waits while the model answers, one line for each resource, none dropped', {
      'between-turns': 'Lines can wait until the model has finished.',
    }),
  ],
  'Implementation Notes': [
    works(page, 'shows the line in the transcript of the connected session, once', {
      page: 'A page shows the line in the transcript of a connected session, once.',
    }),
    works(page, 'sends the connected session one line per change, also when the server repeats a notification', {
      'page-event': 'An event of /api/mcp/resource-events leads to one message of a connected session.',
    }),
    works(stream, 'continues after its cursor, given by %s', { 'sse-resume': 'A stream that ended is continued.' }),
    works('test/docs/docs.test.ts', 'is in the README as a whole', {
      documents: 'README and AGENTS say how.',
    }),
  ],
  'Asked for by its users': [
    works(sessions, 'that loses its connection is attached again, and gets the lines it missed', {
      reconnects: 'A lost session is attached again and told what it missed.',
    }),
    works(ports, 'keeps its settings: the hub only adds messages', {
      call: 'A call that is going on is told, and keeps its settings.',
    }),
    works(ports, 'is joined at OpenAI without configuration, and at no other host', {
      'call-address': 'A call can be joined at OpenAI itself.',
    }),
    works(ports, 'continues the same conversation after a lost connection', {
      gemini: 'A Gemini Live session is told.',
    }),
    works(ports, 'can check that messages come from the hub', {
      bridge: 'Any other agent is told over a signed webhook.',
    }),
    works(ports, 'are attached again after a restart of the hub, without stored keys', {
      kept: 'Attached sessions outlive a restart of the hub.',
    }),
  ],
});
