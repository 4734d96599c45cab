// The tracker's promises; packages/track/SPEC.md has the invariants behind each row.
import type { TestedRequirement } from './requirement.ts';

const told = 'test/track/told.model.test.ts';
const faults = 'test/track/faults.test.ts';
const http = 'test/track/http-faults.test.ts';
const connectionFaults = 'test/track/connection-faults.test.ts';
const subscriptions = 'test/track/subscriptions.test.ts';
const restart = 'test/track/restart.test.ts';
const story = 'test/track/story.test.ts';
const stream = 'test/track/stream.test.ts';
const notifications = 'test/track/notifications.test.ts';
const sse = 'test/track/sse-servers.test.ts';
const real = 'test/track/real-servers.test.ts';
const renewal = 'test/login/renewal.test.ts';
const logIn = 'test/login/log-in.test.ts';
const hostileLogin = 'test/login/hostile-login.test.ts';

export const trackerRequirements: readonly TestedRequirement[] = [
  {
    id: 'login',
    source: 'docs/logins.md, Logging in to servers',
    text: 'A server that requires OAuth is used as soon as there is a login, in either era.',
    tests: [
      {
        file: 'test/login/hub-login.test.ts',
        title: 'a server is used from the login of its user to the logout, and no token is shown',
      },
      { file: renewal, title: 'is used for a server of the 2025 era' },
      { file: logIn, title: 'accepts the callback address of a browser on another machine, and no other address' },
      { file: logIn, title: 'revokes the login and deletes it' },
    ],
  },
  {
    id: 'login-answers',
    source: 'SECURITY.md, What holds',
    text: 'Only a response to the started login, from its authorization server, completes it.',
    tests: [
      { file: logIn, title: 'refuses a callback with another state, and keeps waiting for its own' },
      { file: logIn, title: 'refuses a callback of another issuer' },
    ],
  },
  {
    id: 'login-hostile',
    source: 'SECURITY.md, What holds',
    text: 'A login withstands programs that call its callback, and authorization servers with wrong or missing responses.',
    tests: [
      {
        file: hostileLogin,
        title: 'answers invalid requests, and idle connections do not keep the command running',
      },
      { file: hostileLogin, title: 'that does not respond can be left with Ctrl-C' },
      { file: hostileLogin, title: 'with the authorization endpoint %s is refused' },
      { file: hostileLogin, title: 'may issue tokens with a lifetime of %j s' },
      { file: hostileLogin, title: 'secrets in the URL of a server are not shown' },
    ],
  },
  {
    id: 'login-told',
    source: 'docs/logins.md, Logging in to servers',
    text: 'Changes made while there was no login are reported after the next login.',
    tests: [{ file: renewal, title: 'that had ended is replaced: changes made meanwhile are reported (%s)' }],
  },
  {
    id: 'login-renewed-once',
    source: 'ARCHITECTURE.md, Decisions of the tracker',
    text: 'A refresh token is used once, however many requests and processes need a new token.',
    tests: [
      { file: renewal, title: 'is renewed once, however many requests find its token invalid' },
      { file: renewal, title: 'is renewed once by two processes on one data folder' },
    ],
  },
  {
    id: 'login-kept',
    source: 'docs/logins.md, When it fails',
    text: 'A login is given up only if the authorization server says that it has ended, not if that server fails.',
    tests: [
      {
        file: renewal,
        title: 'is kept while the authorization server fails, and used again afterwards',
      },
      { file: renewal, title: 'that is revoked is given up, and the next one is used as soon as it is stored' },
    ],
  },
  {
    id: 'login-stays-at-its-address',
    source: 'docs/logins.md, Whose login it is',
    text: 'A token is sent to the origin of its server only, and an entry with its own credentials uses those.',
    tests: [
      { file: renewal, title: 'of another server URL is not used' },
      { file: renewal, title: 'is not used if the entry has an Authorization header' },
      {
        file: 'packages/track/src/connection/http/authorized-fetch.test.ts',
        title: "sends the token to the server's own origin only, also after a redirect",
      },
    ],
  },
  {
    id: 'login-scope',
    source: 'docs/logins.md, Servers that want more',
    text: 'A missing permission of a login is reported, not retried, and requested at the next login.',
    tests: [
      {
        file: renewal,
        title: 'that lacks a scope is reported, and one with more scopes is used without a new connection',
      },
    ],
  },
  {
    id: 'old-event-streams',
    promise: 1,
    source: 'docs/tracker.md, Configuration',
    text: 'A server of 2024-11-05 over HTTP is followed; changes made while its stream was closed are reported.',
    tests: [
      { file: sse, title: 'a server of 2024-11-05 is followed, read and called' },
      { file: sse, title: 'a server whose stream ends is reconnected to, and changes made meanwhile are reported' },
    ],
  },
  {
    id: 'slow-starts',
    promise: 1,
    source: 'docs/tracker.md, Configuration',
    text: 'A server that supports 2026-07-28 is used with that version, however slowly its process starts.',
    tests: [
      { file: real, title: 'is connected to, however slowly its process starts' },
      { file: real, title: 'is used in the modern era, however slowly its process starts' },
    ],
  },
  {
    id: 'told-not-seen',
    promise: 1,
    source: 'packages/track/SPEC.md, What was told',
    text: 'A listener is notified until its content is current, in any order of changes, reads, losses and restarts.',
    tests: [{ file: told, title: 'every listener gets the current content' }],
  },
  {
    id: 'windows-flushed',
    promise: 1,
    source: 'packages/track/SPEC.md, What was told',
    text: 'Pending updates of a window are reported when the tracker stops.',
    tests: [{ file: told, title: 'events pending in windows are reported when the tracker stops' }],
  },
  {
    id: 'tracker-survives-kill',
    promise: 9,
    source: 'packages/track/SPEC.md, Journal and archive',
    text: 'After kill -9 of the tracker right after an event, a reader with a cursor misses nothing.',
    tests: [
      { file: restart, title: 'that was killed right after an event reports later changes to every reader, or a gap' },
    ],
  },
  {
    id: 'cursor-or-gap',
    promise: 1,
    source: 'packages/track/SPEC.md, Journal and archive',
    text: 'A reader that returns with a cursor gets the events it missed, or a gap.',
    tests: [
      { file: restart, title: 'replays events after a cursor that was issued before the restart' },
      { file: restart, title: 'reports a gap to a reader with an unknown cursor' },
    ],
  },
  {
    id: 'upstream-restart',
    promise: 1,
    source: 'packages/track/SPEC.md, Healing',
    text: 'Changes made while a server was unavailable are reported when it is back.',
    tests: [
      { file: faults, title: 'is killed: changes made meanwhile are reported, and only those' },
      { file: http, title: 'loses its connections: changes are reported after the reconnection' },
    ],
  },
  {
    id: 'silent-stream-found',
    promise: 1,
    source: 'packages/track/SPEC.md, Connection',
    text: 'A stream or server that falls silent is detected and followed again.',
    tests: [
      { file: http, title: 'goes silent on its stream only: the stream is replaced' },
      { file: http, title: 'goes silent on a stream that was idle for long: the stream is replaced' },
      { file: http, title: 'stops answering completely: its connection fails, and recovers when it answers' },
    ],
  },
  {
    id: 'vanish-and-return',
    promise: 1,
    source: 'packages/track/SPEC.md, What was told',
    text: 'A resource that leaves the list and returns is subscribed to again, and its listeners are notified.',
    tests: [
      { file: faults, title: 'drops the subscriptions of a removed resource: changes after its return are reported' },
    ],
  },
  {
    id: 'other-era',
    promise: 1,
    source: 'packages/track/SPEC.md, Connection',
    text: 'A server that comes back in the other era is followed.',
    tests: [{ file: 'test/track/connection-faults.test.ts', title: 'a server that comes back in another era' }],
  },
  {
    id: 'lists-after-a-gap',
    source: 'packages/track/SPEC.md, Subscription',
    text: 'After a gap, or when a stream opens late, every list is read again: a list_changed may have been lost.',
    tests: [
      { file: connectionFaults, title: 'are read again when a stream of notifications was away' },
      {
        file: connectionFaults,
        title: 'that opens only after the lists were read leads to another reading of the lists',
      },
      {
        file: connectionFaults,
        title: 'is followed by another reading of the list, which may have changed before it was acknowledged',
      },
    ],
  },
  {
    id: 'one-hanging-resource',
    source: 'docs/tracker.md, What to rely on',
    text: 'Resources whose reads hang delay the updates of no others.',
    tests: [
      {
        file: 'packages/track/src/upstream/follow/healing-queue.test.ts',
        title: 'a resource whose read hangs does not delay the comparison after a later gap',
      },
      {
        file: 'packages/track/src/mirror/background-reads.test.ts',
        title: 'resources whose reads hang do not keep others from being read',
      },
    ],
  },
  {
    id: 'slow-server',
    source: 'packages/track/SPEC.md, Mirror',
    text: 'A slow server gets no more reads at a time than any other.',
    tests: [
      {
        file: 'packages/track/src/mirror/hanging-reads.test.ts',
        title: 'a server that is slow gets no more reads at a time, and all of its answers count',
      },
    ],
  },
  {
    id: 'unreadable-is-a-gap',
    promise: 1,
    source: 'packages/track/SPEC.md, What arrives',
    text: 'A message that cannot be read and may have been a notification counts as a gap.',
    tests: [
      { file: notifications, title: 'that writes text before a notification on the same line: the update is reported' },
      { file: notifications, title: 'that splits a notification over two lines: all resources are read again' },
    ],
  },
  {
    id: 'polled-where-not-subscribed',
    promise: 1,
    source: 'packages/track/SPEC.md, Subscription',
    text: 'Resources without a subscription are polled.',
    tests: [
      { file: subscriptions, title: 'that has no subscriptions is polled, and only real changes are reported' },
      { file: subscriptions, title: 'that accepts subscriptions over HTTP and has no notification stream is polled' },
      { file: subscriptions, title: 'that acknowledges no URI is polled instead' },
    ],
  },
  {
    id: 'stalled-feed-reader',
    promise: 3,
    source: 'promise 3',
    text: 'A stalled reader of the event stream needs no queue, and gets the latest event of each resource.',
    tests: [{ file: stream, title: 'gets the latest event of each resource once it reads again' }],
  },
  {
    id: 'no-repetition',
    promise: 5,
    source: 'packages/track/SPEC.md, The second event',
    text: 'Without faults a listener is notified no more often than the server notifies.',
    tests: [{ file: told, title: 'no listener is notified more often than the server notifies, if nothing is lost' }],
  },
  {
    id: 'dedupe-window',
    promise: 5,
    source: 'resource tracking story 2',
    text: 'Duplicate notifications within 2 seconds become one event.',
    tests: [
      {
        file: story,
        title:
          'Duplicate notifications for the same resource URI within 2 seconds are de-duped to a single downstream update event',
      },
    ],
  },
  {
    id: 'opt-in-tracking',
    source: 'resource tracking story 1',
    text: '`trackResources` switches tracking on and off within 5 seconds.',
    tests: [
      {
        file: story,
        title: 'Removing or disabling the flag stops any active subscriptions within 5 seconds of reload/stop',
      },
    ],
  },
  {
    id: 'no-process-left',
    promise: 7,
    source: 'packages/track/SPEC.md, Server processes',
    text: 'A server process is ended together with its child processes.',
    tests: [
      {
        file: 'test/track/processes.test.ts',
        title: 'is ended together with its child processes, even if they ignore signals',
      },
    ],
  },
];
