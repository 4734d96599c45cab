// Hubs that are killed, share a folder, or are nodes of a cluster.
import type { TestedRequirement } from '../requirement.ts';

export const nodeRequirements: readonly TestedRequirement[] = [
  {
    id: 'hub-survives-kill',
    promise: 9,
    source: 'promise 9',
    text: 'Acknowledged data of the hub survives a kill, and readers continue with their cursors.',
    tests: [
      {
        file: 'test/hub/killed.test.ts',
        title: 'a killed hub loses no confirmed write, leaves no process behind, and its journal continues',
      },
      { file: 'test/hub/client.test.ts', title: 'reports each update once, across a restart of the hub' },
    ],
  },
  {
    id: 'two-hubs-on-a-folder',
    promise: 1,
    source: 'packages/track/SPEC.md, Journal and archive',
    text: 'Two hubs on one data folder each report every change to their own readers.',
    tests: [
      {
        file: 'test/hub/two-hubs.test.ts',
        title: 'each of two hubs on one folder reports a change to its own readers',
      },
    ],
  },
  {
    id: 'cluster-one-owner',
    promise: 9,
    source: 'ARCHITECTURE.md, Many nodes',
    text: 'A server is tracked by one node; a node that has lost it, or was frozen, writes nothing as its owner.',
    tests: [
      { file: 'test/track/fencing.test.ts', title: 'discards writes of the old holder of a lease' },
      {
        file: 'test/cluster/lost-nodes.test.ts',
        title: 'discards the writes as owner of a node that was frozen and wakes up',
      },
      {
        file: 'test/cluster/changed-roles.test.ts',
        title: 'with a new number of its lease does not run the server process twice',
      },
    ],
  },
  {
    id: 'cluster-takeover',
    promise: 1,
    source: 'ARCHITECTURE.md, Many nodes',
    text: 'Servers and agent sessions of a lost node are taken over, and every subscriber gets the current content.',
    tests: [
      {
        file: 'test/cluster/lost-nodes.test.ts',
        title: 'takes over the servers of a killed node within ten seconds',
      },
      {
        file: 'test/cluster/agent-sessions.test.ts',
        title:
          'gets each line once, is shown and can be detached on any node, and is taken over when its node is killed',
      },
      {
        file: 'test/cluster/rolling-restart.test.ts',
        title: 'is restarted node by node without a stale subscriber, with one reconnection per client',
      },
    ],
  },
  {
    id: 'cluster-notified-session',
    promise: 1,
    source: 'docs/scale.md, Many nodes',
    text: 'A scheduled notification reaches its agent session, whichever node it comes due on.',
    tests: [
      {
        file: 'test/cluster/agent-sessions.test.ts',
        title: 'gets a notification that comes due on another node, and the next one after a takeover',
      },
    ],
  },
  {
    id: 'cluster-webhooks-once',
    promise: 9,
    source: 'docs/vcon.md, Webhooks',
    text: 'Each webhook is sent by one of the processes with its address; another one takes over when that one ends.',
    tests: [
      {
        file: 'test/cluster/webhooks.test.ts',
        title: 'are sent once for each change on any node, and continue when the sending node is killed',
      },
      {
        file: 'test/vcon/webhooks.test.ts',
        title: 'are sent once by any number of processes, and by another one when a process is closed',
      },
    ],
  },
  {
    id: 'cluster-any-node-answers',
    promise: 7,
    source: 'docs/scale.md, Many nodes',
    text: "A 2026-07-28 client can answer a server's question and use its task at any node; another caller cannot.",
    tests: [
      {
        file: 'test/cluster/questions.test.ts',
        title: 'the question of a %s server can be answered at either node, by its caller only',
      },
      { file: 'test/cluster/questions.test.ts', title: 'a task can be used at either node, by its caller only' },
      {
        file: 'test/cluster/questions.test.ts',
        title: 'the question of a task managed by the hub can be answered at either node, by its caller only',
      },
      {
        file: 'test/cluster/questions.test.ts',
        title: 'a call whose node is lost fails with an error that says to call again',
      },
    ],
  },
  {
    id: 'cluster-one-journal',
    promise: 1,
    source: 'ARCHITECTURE.md, Many nodes',
    text: 'A reader of events continues on any node with its cursor.',
    tests: [
      {
        file: 'test/cluster/two-nodes.test.ts',
        title: 'have one journal: a reader continues on the other node with its cursor',
      },
    ],
  },
  {
    id: 'bus-gap',
    promise: 1,
    source: 'docs/scale.md, When a part fails',
    text: 'After a possible loss of bus messages, all subscribed resources count as stale.',
    tests: [{ file: 'test/cluster/bus.test.ts', title: 'has a gap after an outage of NATS, and continues' }],
  },
];
