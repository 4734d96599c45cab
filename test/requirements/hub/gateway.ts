// What clients of the gateway get: lists, updates, calls and what is passed on.
import type { TestedRequirement } from '../requirement.ts';

const gateway = 'test/hub/gateway.test.ts';
const changing = 'test/hub/changing-upstreams.test.ts';

export const gatewayRequirements: readonly TestedRequirement[] = [
  {
    id: 'unknown-fields-pass',
    source: 'docs/hub.md, What passes through unchanged',
    text: 'Members, kinds of content and results that the protocol does not define pass through the hub unchanged.',
    tests: [
      {
        file: 'test/hub/unknown-fields.test.ts',
        title: 'gets unknown members, content and results unchanged',
      },
    ],
  },
  {
    id: 'session-state-is-kept',
    source: 'docs/hub.md, Servers that ask',
    text: 'State that a 2025-era server keeps in a session of a client is available to the next call of that client.',
    tests: [
      {
        file: 'packages/hub/src/gateway/relay/caller-sessions.test.ts',
        title: 'is the same for all its calls, also of a modern client with roots',
      },
      { file: 'test/hub/server-state.test.ts', title: 'a caller of a server that asks keeps one process' },
    ],
  },
  {
    id: 'no-side-effect-twice',
    source: 'docs/hub.md, Servers that ask',
    text: 'A call that failed because the server could not ask is repeated only if it is a read, a prompt, or a read-only or idempotent tool.',
    tests: [
      {
        file: 'packages/hub/src/gateway/relay/method-relay.test.ts',
        title: 'is not repeated if it may have side effects: its caller gets an error, and is asked from then on',
      },
      {
        file: 'test/hub/relay-bounds.test.ts',
        title: 'a call that may not be repeated is made once, also after a restart',
      },
    ],
  },
  {
    id: 'call-made-once',
    source: 'ARCHITECTURE.md, Decisions of the gateway',
    text: 'A call is made once and returns its own result, however the tools of its server change meanwhile.',
    tests: [
      {
        file: 'test/hub/calls-once.test.ts',
        title: 'a call is made once if its error looks like a question that could not be asked',
      },
      {
        file: 'test/hub/calls-once.test.ts',
        title: 'a call is made once if the schema of its tool has changed before the response',
      },
      {
        file: 'test/hub/calls-once.test.ts',
        title: 'a call is made once if its tool has been removed before the response',
      },
    ],
  },
  {
    id: 'mentions-subscribed',
    source: 'docs/hub.md, A line about changes',
    text: 'A result ends with the resources that its caller has subscribed to and that have changed since.',
    tests: [
      {
        file: 'test/hub/mentioned-changes.test.ts',
        title: 'a result ends with the changes since a subscription',
      },
    ],
  },
  {
    id: 'changes-mentioned',
    promise: 1,
    source: 'docs/hub.md, A line about changes',
    text: 'A tool result names resources that its caller has read and that have changed since, to that caller alone.',
    tests: [
      {
        file: 'test/hub/mentioned-changes.test.ts',
        title: 'a result ends with the changes since a read, each once',
      },
      {
        file: 'test/hub/mentioned-changes.test.ts',
        title: 'callers get only changes of resources that they have read',
      },
    ],
  },
  {
    id: 'one-subscription-upstream',
    promise: 4,
    source: 'promise 4',
    text: 'A resource has one subscription at its server, however many clients watch it.',
    tests: [{ file: gateway, title: 'have one subscription per resource, from its first client to its last' }],
  },
  {
    id: 'one-away-others-served',
    promise: 1,
    source: 'promise 1',
    text: 'An unavailable server does not affect the others.',
    tests: [{ file: gateway, title: 'are not affected by an unavailable one' }],
  },
  {
    id: 'gateway-through-restart',
    promise: 1,
    source: 'promise 1',
    text: 'A gateway client is notified of changes made while its server restarted.',
    tests: [
      {
        file: changing,
        title: 'is followed through a restart: clients are notified of differences, and of later changes',
      },
    ],
  },
  {
    id: 'subscribed-before-reached',
    promise: 1,
    source: 'promise 1',
    text: 'A client that subscribes before the hub is connected to a server, tracked or not, is notified of its changes.',
    tests: [
      { file: 'test/hub/after-restart.test.ts', title: 'subscribes to resources that were known before the restart' },
      { file: 'test/hub/after-restart.test.ts', title: 'subscribes to a resource that no connected server has yet' },
    ],
  },
  {
    id: 'unanswered-subscription',
    promise: 1,
    source: 'packages/track/SPEC.md, Subscription',
    text: 'A subscription does not wait for a slow server, and its client misses nothing meanwhile.',
    tests: [{ file: changing, title: 'delays no client, and no client misses a change meanwhile' }],
  },
  {
    id: 'passes-on',
    promise: 8,
    source: 'MCP 2026-07-28, basic/patterns',
    text: 'Progress including the last notification, cancellation, prompts, templates and completion pass the gateway.',
    tests: [
      { file: gateway, title: 'gets progress, cancellation, prompts, templates and completion' },
      { file: 'test/hub/last-progress.test.ts', title: 'the last progress of a call is passed on before its response' },
    ],
  },
  {
    id: 'nothing-changed-on-the-way',
    promise: 8,
    source: 'MCP 2026-07-28 and 2025-11-25, server',
    text: 'Requests and responses through the address of one server keep every field.',
    tests: [
      { file: 'test/hub/unchanged.test.ts', title: 'has the same responses' },
      { file: 'test/hub/unchanged-fields.test.ts', title: 'gets every field unchanged' },
      { file: 'test/hub/unchanged-fields.test.ts', title: 'sends every field of its requests' },
    ],
  },
  {
    id: 'builtin-trouble',
    source: 'docs/obs.md, When OBS is not running',
    text: 'The loss and the return of OBS appear in the detail of the server and in the journal.',
    tests: [
      {
        file: 'test/hub/obs-away.test.ts',
        title: 'the loss and the return of OBS appear in the list of servers and in the journal',
      },
    ],
  },
];
