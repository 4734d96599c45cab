// What the hub promises to agents, feed readers, pages and clients of its gateway.
import type { TestedRequirement } from './requirement.ts';

const gateway = 'test/hub/gateway.test.ts';
const access = 'test/hub/access.test.ts';
const edited = 'test/hub/edited-access.test.ts';
const agent = 'test/hub/agent-session.test.ts';
const changing = 'test/hub/changing-upstreams.test.ts';

export const hubRequirements: readonly TestedRequirement[] = [
  {
    id: 'one-subscription-upstream',
    promise: 4,
    source: 'promise 4',
    text: 'However many clients watch a resource, its server has one subscription.',
    tests: [{ file: gateway, title: 'are subscribed to once, however many clients, from the first to the last' }],
  },
  {
    id: 'one-away-others-served',
    promise: 1,
    source: 'promise 1',
    text: 'A server that is away does not disturb the others.',
    tests: [{ file: gateway, title: 'do not suffer from one that is away' }],
  },
  {
    id: 'gateway-through-restart',
    promise: 1,
    source: 'promise 1',
    text: 'A gateway client is told what changed while its server restarted.',
    tests: [{ file: changing, title: 'is followed through a restart: what differs is told, what came later too' }],
  },
  {
    id: 'unanswered-subscription',
    promise: 1,
    source: 'packages/track/SPEC.md, Subscription',
    text: 'A client is not kept waiting by a server that is slow to agree, and misses nothing meanwhile.',
    tests: [{ file: changing, title: 'keeps no client waiting, and none that would miss what changed meanwhile' }],
  },
  {
    id: 'passes-on',
    promise: 8,
    source: 'MCP 2026-07-28, basic/patterns',
    text: 'Progress, cancellation, prompts, templates and completion pass through the gateway.',
    tests: [{ file: gateway, title: 'passes on progress, cancellation, prompts, templates and completion' }],
  },
  {
    id: 'questions-reach-their-caller',
    promise: 7,
    source: 'MCP 2026-07-28, basic/patterns; 2025-11-25, client/elicitation',
    text: 'What a server asks reaches the caller whose request it belongs to, and no other.',
    tests: [
      {
        file: 'packages/hub/src/gateway/relay/caller-sessions.test.ts',
        title: 'never see questions of each other, in 1000 interleavings',
      },
      { file: 'test/hub/relay.test.ts', title: 'prompts and reads ask, too' },
    ],
  },
  {
    id: 'held-calls-end',
    promise: 3,
    source: 'promise 3',
    text: 'A call whose caller vanished while it was asked leaves nothing behind after a minute.',
    tests: [
      {
        file: 'packages/hub/src/gateway/relay/caller-sessions.test.ts',
        title: 'leaves nothing behind a minute after its caller vanished',
      },
    ],
  },
  {
    id: 'access-decided-everywhere',
    promise: 7,
    source: 'SECURITY.md',
    text: 'Every principal on every way in, with every spelling, has a decision.',
    tests: [
      { file: 'test/access/matrix.test.ts', title: 'has a decision for every cell, and no rule without a cell' },
      { file: 'test/access/matrix.test.ts', title: 'has a row for every route there is' },
    ],
  },
  {
    id: 'part-only',
    promise: 7,
    source: 'SECURITY.md',
    text: 'A token that opens part of the resources sees and hears only that part.',
    tests: [
      { file: access, title: 'shows one that opens part only that part, whichever way' },
      { file: access, title: 'tells one that opens part only of that part' },
    ],
  },
  {
    id: 'revoked-token-cut',
    promise: 7,
    source: 'SECURITY.md',
    text: 'Removing a token ends its streams and sessions.',
    tests: [{ file: edited, title: 'ends every stream and session of a removed token, and no others' }],
  },
  {
    id: 'unread-answers-bounded',
    promise: 3,
    source: 'SECURITY.md',
    text: 'What a client does not read is bounded: it is refused more until it has read.',
    tests: [{ file: 'test/hub/quotas.test.ts', title: 'bytes that it does not read (%s)' }],
  },
  {
    id: 'pinned-definitions',
    promise: 7,
    source: 'SECURITY.md',
    text: 'A changed tool of a pinned server is held back until a person agrees.',
    tests: [
      {
        file: 'test/hub/definitions.test.ts',
        title: 'has a changed and a new tool held back everywhere, and told of, until a person agrees',
      },
    ],
  },
  {
    id: 'agent-line-again',
    promise: 1,
    source: 'resource tracking story 3',
    text: 'A line that an agent session refused or may not have received is told again.',
    tests: [
      { file: agent, title: 'is told again, after a pause, and nothing else is' },
      { file: agent, title: 'and never confirmed what it was told: is told again, with what came since' },
    ],
  },
  {
    id: 'agent-bounded',
    promise: 3,
    source: 'promise 3',
    text: 'A session that does not answer costs one line for each resource.',
    tests: [
      {
        file: agent,
        title:
          'while it is told something: keeps one line for each resource, is lost, and is told them when it is back',
      },
    ],
  },
  {
    id: 'hub-survives-kill',
    promise: 9,
    source: 'promise 9',
    text: 'The hub loses nothing it acknowledged when it is killed, and readers go on with their cursors.',
    tests: [
      {
        file: 'test/hub/killed.test.ts',
        title: 'loses nothing it confirmed, leaves no process behind, and its journal goes on',
      },
      { file: 'test/hub/client.test.ts', title: 'tells once of each update, across a restart of the hub' },
    ],
  },
];
