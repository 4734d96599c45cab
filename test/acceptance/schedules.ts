// Requirements of users of a scheduling server on QStash: the schedules of a topic as a resource, and notifications of
// changes.
import { differs, rowsOf, works } from './acceptance-row.ts';

const story = 'test/schedules/story.test.ts';
const cases = 'test/schedules/history-cases.ts';
const destinations = 'test/schedules/destinations.test.ts';
const operations = 'test/schedules/qstash-operations.test.ts';
const polling = 'test/schedules/qstash-polling.test.ts';
const qstashLog = 'test/schedules/qstash-history.test.ts';
const tools = 'test/schedules/tools.test.ts';

const read = 'Scenario: Read schedules resource';
const subscribe = 'Scenario: Subscribe to schedules resource';
const creation = 'Scenario: Notification on schedule creation';
const deletion = 'Scenario: Notification on schedule deletion';
const pausing = 'Scenario: Notification on pause/resume';
const unrelated = 'Scenario: No notification for unrelated topic';
const unsubscribe = 'Scenario: Unsubscribe stops notifications';
const evaluation = 'Evaluation: the resource contains the schedule just created';
const declares = 'declares subscriptions, and describes its templates and tools';
const otherClient = 'is notified of changes that another client makes through tools';

const document = 'CRONTY-11, Dynamic Schedules Resource with Subscriptions';

export const schedulesRows = rowsOf('schedules', document, {
  'Feature Statement': [
    works(story, read, { resource: 'Schedules are read as a resource.' }),
    works(story, creation, { 'real-time': 'A subscriber is told when they change.' }),
    works('test/schedules/qstash-story.test.ts', otherClient, {
      'other-clients': 'Also when another client changes them.',
    }),
    works(polling, 'QStash is read once per poll, with any number of watchers and topics', {
      'no-polling': 'Clients need not ask again and again.',
    }),
  ],
  'Flow Diagram': [
    works(story, subscribe, { 'read-then-subscribe': 'A topic is read and then subscribed to.' }),
    works(polling, 'a change between a read and the subscription after it is announced', {
      'nothing-between': 'A change in between is not lost.',
    }),
    works(story, creation, { 'fresh-after-told': 'A read that follows a notification has the change.' }),
  ],
  'The Cache Invalidation Problem': [
    works(story, creation, { 'stale-create': 'A new schedule makes what a client keeps known to be old.' }),
    works(story, deletion, { 'stale-delete': 'So does a deleted one.' }),
    works(story, pausing, { 'stale-pause': 'So does a paused one.', 'stale-resume': 'So does a resumed one.' }),
  ],
  'MCP Subscription Protocol': [
    works(story, subscribe, { 'protocol-subscribe': 'A client subscribes to a URI.' }),
    works(story, unsubscribe, { 'protocol-unsubscribe': 'A client ends a subscription.' }),
    works(story, pausing, { 'protocol-updated': 'Changed content is notifications/resources/updated.' }),
    works(story, creation, { 'protocol-list': 'A changed list is notifications/resources/list_changed.' }),
  ],
  'Capability Declaration': [
    works(story, subscribe, { 'capability-subscribe': 'The server declares resources.subscribe.' }),
    works(tools, declares, { 'capability-list': 'It declares resources.listChanged.' }),
  ],
  'Tools That Trigger Notifications': [
    works(story, creation, { 'tool-cron': 'schedule_cron_notification updates schedules://{topic}.' }),
    works(story, deletion, { 'tool-delete': 'delete_schedule does.' }),
    works(story, pausing, { 'tool-pause': 'pause_schedule does.', 'tool-resume': 'resume_schedule does.' }),
    works(operations, 'is announced at once, with its topic only, when it is created, paused, resumed or deleted', {
      'tools-qstash': 'All four do so for schedules in QStash.',
    }),
  ],
  'Multi-Client Scenario': [
    works(story, creation, {
      'multi-subscribes': 'One client subscribes, another creates.',
      'multi-told': 'The first is told with the URI of the topic.',
      'multi-refresh': 'It reads the new schedule.',
    }),
    works('test/schedules/qstash-story.test.ts', 'is notified of a schedule created elsewhere, and reads it', {
      'multi-elsewhere': 'What another program makes in QStash is told too.',
    }),
  ],
  'Non-functional Requirements': [
    works(operations, 'is announced at once, with its topic only, when it is created, paused, resumed or deleted', {
      immediately: 'Notifications are sent as soon as the change is made.',
    }),
    differs(
      'test/scenarios/delivery.ts',
      'reconnect-is-a-gap',
      'No notification is lost: a client that was disconnected is notified when it reconnects.',
      { 'best-effort': 'Notifications are best effort: a client that is disconnected may miss some.' },
    ),
    works(operations, 'requests one list per read', { fresh: 'Every read asks QStash.' }),
    differs(
      qstashLog,
      'one-offs are shown as last seen, and no topic disappears',
      'If only its message log fails, the last known one-offs are shown, and `incomplete` says so.',
      { 'fresh-one-offs': 'So does every read of one-offs.' },
    ),
    works('test/scenarios/delivery.ts', 'dirty-until-stream', {
      reconnection: 'A client that comes back subscribes again and is told what it missed.',
    }),
  ],
  'Scenario: Read schedules resource': [
    works(story, read, {
      read: 'A topic is read as a resource.',
      'read-only-topic': 'It has the schedules of that topic only.',
      'read-id': 'Each has its schedule_id.',
      'read-cron': 'Each has its cron_expression.',
      'read-status': 'Each has its status.',
    }),
  ],
  'Scenario: Subscribe to schedules resource': [
    works(story, subscribe, {
      subscribe: 'A subscription is confirmed.',
      'subscribe-empty': 'Also to a topic without schedules.',
    }),
  ],
  'Scenario: Notification on schedule creation': [
    works(story, creation, {
      'told-create': 'A subscriber is told of a new schedule.',
      'told-create-uri': 'The notification has the URI of the topic.',
    }),
  ],
  'Scenario: Notification on schedule deletion': [
    works(story, deletion, { 'told-delete': 'A subscriber is told of a deleted schedule.' }),
  ],
  'Scenario: Notification on pause/resume': [
    works(story, pausing, {
      'told-pause': 'A subscriber is told of a paused schedule.',
      'told-resume': 'A subscriber is told of a resumed schedule.',
    }),
  ],
  'Scenario: No notification for unrelated topic': [
    works(story, unrelated, { 'not-told': 'A change of another topic is not told.' }),
  ],
  'Scenario: Unsubscribe stops notifications': [
    works(story, unsubscribe, { unsubscribe: 'Unsubscribing ends the notifications.' }),
  ],
  'Technical Notes': [
    works(tools, declares, { template: 'schedules://{topic} is a template.' }),
    works(story, creation, { 'test-create': 'A test shows that creation is told.' }),
    works(story, deletion, { 'test-delete': 'A test shows that deletion is told.' }),
    works(story, pausing, { 'test-pause': 'A test shows that pausing and resuming is told.' }),
    works(story, unrelated, { 'test-only': 'A test shows that only subscribers of the topic are told.' }),
  ],
  Evaluation: [
    works(story, evaluation, { evaluation: 'A schedule that was just made is in its resource.' }),
    works(
      'test/schedules/two-vendors.test.ts',
      'notifies the client of one vendor of a schedule created by the other',
      {
        'two-agents': 'One agent is told of what another has scheduled.',
        'two-vendors': 'Also where they are made with the libraries of two vendors.',
      },
    ),
  ],
  'Asked for by its users': [
    works(tools, 'serves examples and help for cron expressions', {
      'cron-examples': 'cron://examples has expressions to begin with.',
      timezones: 'timezones://valid has the names of time zones.',
    }),
    works(tools, 'that is sent at once arrives with all fields that ntfy supports', {
      push: 'send_push_notification sends at once.',
    }),
    works(tools, 'that is scheduled arrives when due, and is then no longer pending', {
      'one-off': 'schedule_notification sends once.',
    }),
    works(tools, 'says where notifications go, and links the changed resources', {
      destination: 'Every answer says where notifications go.',
    }),
    works(tools, '%s %j is refused with a reason', { 'bad-input': 'Bad input is refused with what to do.' }),
    works(cases, 'changes a schedule under its id, and recomputes its next occurrence', {
      update: 'A schedule can be changed under its id.',
    }),
    works(cases, 'records a delivered one-off in the history, and announces it', {
      history: 'A delivered one-off leaves its trace.',
    }),
    works(cases, 'records each try, each change and its author', { 'history-by': 'The history says who did what.' }),
    works(cases, 'keeps the newest entries of a history', { 'history-bound': 'The history is bounded.' }),
    works(cases, 'fires a schedule by hand, paused or not, without changing its times', {
      fire: 'A schedule can be sent now.',
    }),
    works(cases, 'keeps notifications that a schedule could not deliver, and sends them again on request', {
      'dead-letters': 'What could not be delivered is kept and can be sent again.',
    }),
    works(cases, 'limits tries to the number set for the destination or the schedule', {
      retries: 'How often a delivery is tried can be set.',
    }),
    works(destinations, 'sends to the destination of the topic or the schedule, and names it in every result', {
      destinations: 'Notifications go by topic or by schedule.',
    }),
    works(destinations, 'is signed according to Standard Webhooks, with the same id for all tries', {
      webhook: 'Webhooks are signed.',
    }),
    works(destinations, 'gets text without active mentions or links', { chat: 'A chat is a destination.' }),
    works(destinations, 'has a subject, one id for all tries, and only the configured recipients', {
      email: 'E-mail is one.',
    }),
    works(destinations, 'offers a model only the names of destinations', {
      'names-only': 'A model chooses among named destinations only.',
    }),
    works(destinations, 'shows dead letters as a resource, and a tool sends them again', {
      'dead-letters-tool': 'Dead letters are a resource, and a tool sends them again.',
    }),
    works(
      'test/hub/notified-session.test.ts',
      'scheduled notifications become messages of the session, with their text as data in the user role',
      {
        session: 'A notification can go to an agent session.',
      },
    ),
    works('test/dashboard/schedules.test.ts', 'are created, changed, paused, sent and deleted', {
      page: 'The page makes, changes, pauses, sends and deletes schedules.',
    }),
    works(qstashLog, 'schedules are served, with a note about missing one-offs', {
      'qstash-log': 'Schedules in QStash are served while only its log fails.',
    }),
    works(tools, declares, { 'tool-descriptions': 'Every tool has a description.' }),
    works(tools, 'returns the current time', { time: 'The current time can be asked for, in any time zone.' }),
  ],
});
