// What the tracker promises; packages/track/SPEC.md has the invariants behind each row.
import type { TestedRequirement } from './requirement.ts';

const told = 'test/track/told.model.test.ts';
const faults = 'test/track/faults.test.ts';
const http = 'test/track/http-faults.test.ts';
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
    text: 'A server that wants OAuth is used after a login, in either era, as soon as the login is there.',
    tests: [
      {
        file: 'test/login/hub-login.test.ts',
        title: 'a server is used as soon as its user has logged in, until the login is ended, and no token is shown',
      },
      { file: renewal, title: 'works for a server of the 2025 era' },
      { file: logIn, title: 'takes the address that a browser elsewhere ended at, and no other' },
      { file: logIn, title: 'revokes the login and deletes it' },
    ],
  },
  {
    id: 'login-answers',
    source: 'SECURITY.md, What holds',
    text: 'Only the answer to the login that was started, by the authorization server that was asked, completes it.',
    tests: [
      { file: logIn, title: 'answers a callback with another state, and waits for its own' },
      { file: logIn, title: 'refuses a callback of another issuer' },
    ],
  },
  {
    id: 'login-hostile',
    source: 'SECURITY.md, What holds',
    text: 'A login withstands programs that call its callback, and authorization servers that answer wrongly or never.',
    tests: [
      {
        file: hostileLogin,
        title: 'answers requests that are none, and does not keep the command running for connections that say nothing',
      },
      { file: hostileLogin, title: 'that does not answer can be left with Ctrl-C' },
      { file: hostileLogin, title: 'is not opened at %s' },
      { file: hostileLogin, title: 'may give tokens a life of %j s' },
      { file: hostileLogin, title: 'secrets in the address of a server are not shown' },
    ],
  },
  {
    id: 'login-told',
    source: 'docs/logins.md, Logging in to servers',
    text: 'What changed while there was no login is told after the next one.',
    tests: [{ file: renewal, title: 'that had ended: what changed meanwhile is told (%s)' }],
  },
  {
    id: 'login-renewed-once',
    source: 'ARCHITECTURE.md, Decisions of the tracker',
    text: 'A refresh token is used once, however many requests and processes need a new token.',
    tests: [
      { file: renewal, title: 'is renewed once, however many requests find that its token is not good any more' },
      { file: renewal, title: 'is renewed once by two processes on one data folder' },
    ],
  },
  {
    id: 'login-kept',
    source: 'docs/logins.md, When it fails',
    text: 'A login is given up only if the authorization server says that it has ended, never because that fails.',
    tests: [
      {
        file: renewal,
        title: 'is kept while the authorization server is out of order, and used again when that is over',
      },
      { file: renewal, title: 'that was revoked is given up, and the next one is used as soon as it is stored' },
    ],
  },
  {
    id: 'login-stays-at-its-address',
    source: 'docs/logins.md, Whose login it is',
    text: 'A token goes to the origin of its server only, and an entry with credentials of its own uses those.',
    tests: [
      { file: renewal, title: 'of another address is not used' },
      { file: renewal, title: 'gives way to a header of the entry' },
      {
        file: 'packages/track/src/connection/http/authorized-fetch.test.ts',
        title: "sends the token to the server's own origin only, also where that redirects elsewhere",
      },
    ],
  },
  {
    id: 'login-scope',
    source: 'docs/logins.md, Servers that want more',
    text: 'What a login does not allow is said, not tried again, and asked for at the next login.',
    tests: [
      {
        file: renewal,
        title: 'that allows too little is said to, and a wider one is used without connecting again',
      },
    ],
  },
  {
    id: 'old-event-streams',
    promise: 1,
    source: 'docs/tracker.md, Configuration',
    text: 'A server of 2024-11-05 over HTTP is followed; what changed while its stream was closed is reported.',
    tests: [
      { file: sse, title: 'are followed, read and called' },
      { file: sse, title: 'are reconnected when their stream ends, and what changed meanwhile is reported' },
    ],
  },
  {
    id: 'slow-starts',
    promise: 1,
    source: 'docs/tracker.md, Configuration',
    text: 'A server that speaks 2026-07-28 is spoken to so, however slowly its process starts.',
    tests: [
      { file: real, title: 'is connected to however slowly its process starts' },
      { file: real, title: 'is spoken to in the new one, however slowly its process starts' },
    ],
  },
  {
    id: 'told-not-seen',
    promise: 1,
    source: 'packages/track/SPEC.md, What was told',
    text: 'A listener is notified of every state it does not hold, in any order of changes, reads, losses and restarts.',
    tests: [{ file: told, title: 'no listener stays with old content' }],
  },
  {
    id: 'windows-flushed',
    promise: 1,
    source: 'packages/track/SPEC.md, What was told',
    text: 'Pending updates of a window are announced when the tracker stops.',
    tests: [{ file: told, title: 'pending events of its windows are announced when the tracker stops' }],
  },
  {
    id: 'tracker-survives-kill',
    promise: 9,
    source: 'packages/track/SPEC.md, Journal and archive',
    text: 'After kill -9 of the tracker in the middle of telling, a reader with a cursor misses nothing.',
    tests: [{ file: restart, title: 'that was killed in the middle of telling leaves no reader with old content' }],
  },
  {
    id: 'cursor-or-gap',
    promise: 1,
    source: 'packages/track/SPEC.md, Journal and archive',
    text: 'A reader that returns with a cursor gets the events it missed, or a gap.',
    tests: [
      { file: restart, title: 'replays what came after a cursor of its earlier life' },
      { file: restart, title: 'reports a gap for an unknown cursor' },
    ],
  },
  {
    id: 'upstream-restart',
    promise: 1,
    source: 'packages/track/SPEC.md, Healing',
    text: 'Changes made while a server was unavailable are reported when it is back.',
    tests: [
      { file: faults, title: 'is killed, and changes while it is away' },
      { file: http, title: 'loses its connections' },
    ],
  },
  {
    id: 'silent-stream-found',
    promise: 1,
    source: 'packages/track/SPEC.md, Connection',
    text: 'A stream or server that falls silent is found out and followed again.',
    tests: [
      { file: http, title: 'goes silent on its stream, while everything else works' },
      { file: http, title: 'goes silent on its stream, after it had nothing to say for long' },
      { file: http, title: 'stops answering completely' },
    ],
  },
  {
    id: 'vanish-and-return',
    promise: 1,
    source: 'packages/track/SPEC.md, What was told',
    text: 'A resource that leaves the list and returns is subscribed to again, and its listeners are notified.',
    tests: [{ file: faults, title: 'forgets subscriptions while a resource is missing' }],
  },
  {
    id: 'other-era',
    promise: 1,
    source: 'packages/track/SPEC.md, Connection',
    text: 'A server that comes back speaking the other era is followed.',
    tests: [{ file: 'test/track/connection-faults.test.ts', title: 'a server that comes back in another era' }],
  },
  {
    id: 'unreadable-is-a-gap',
    promise: 1,
    source: 'packages/track/SPEC.md, What arrives',
    text: 'A message that cannot be read and may have been a notification counts as a gap.',
    tests: [
      { file: notifications, title: 'that writes text before a notification on the same line is understood' },
      { file: notifications, title: 'that tears a notification apart leads to a read of everything' },
    ],
  },
  {
    id: 'polled-where-not-subscribed',
    promise: 1,
    source: 'packages/track/SPEC.md, Subscription',
    text: 'What cannot be subscribed to is polled.',
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
    text: 'A reader of the event stream that stands still costs no queue, and gets the latest of each resource.',
    tests: [{ file: stream, title: 'gets the latest event of each resource when it reads again' }],
  },
  {
    id: 'no-repetition',
    promise: 5,
    source: 'packages/track/SPEC.md, The second event',
    text: 'Without faults a listener is notified no more often than the server notifies.',
    tests: [{ file: told, title: 'no listener is told more often than the server notifies, if nothing is lost' }],
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
    text: 'A server process ends with everything it started.',
    tests: [
      {
        file: 'test/track/processes.test.ts',
        title: 'ends with everything it started, even if it ignores signals',
      },
    ],
  },
];
