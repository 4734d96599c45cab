// Questions and tasks of servers: to whom they go, and when they end.
import type { TestedRequirement } from '../requirement.ts';

export const questionRequirements: readonly TestedRequirement[] = [
  {
    id: 'questions-reach-their-caller',
    promise: 7,
    source: 'MCP 2026-07-28, basic/patterns; 2025-11-25, client/elicitation',
    text: 'The question of a server reaches the caller whose request it belongs to, and no other.',
    tests: [
      {
        file: 'packages/hub/src/gateway/relay/method-relay.test.ts',
        title: 'never get questions of each other, in 1000 interleavings',
      },
      { file: 'test/hub/relay.test.ts', title: 'prompts and reads can ask too' },
      {
        file: 'test/hub/questions-apart.test.ts',
        title: 'get only the questions of their own calls from a %s server',
      },
    ],
  },
  {
    id: 'held-calls-end',
    promise: 3,
    source: 'promise 3',
    text: 'A call whose caller vanishes while a question is open is freed after a minute.',
    tests: [
      {
        file: 'packages/hub/src/gateway/relay/method-relay.test.ts',
        title: 'is freed a minute after its caller has vanished',
      },
    ],
  },
  {
    id: 'state-of-one-caller',
    promise: 7,
    source: 'SECURITY.md, What holds',
    text: 'The state of a question can be used only by the caller that was asked.',
    tests: [{ file: 'test/hub/state-owners.test.ts', title: 'a caller cannot continue the call of another at %s' }],
  },
  {
    id: 'task-of-one-principal',
    promise: 7,
    source: 'docs/hub.md, Servers that ask',
    text: 'The question of a task can be answered once, by the principal whose call it was.',
    tests: [
      { file: 'packages/hub/src/gateway/relay/task/task-states.test.ts', title: 'a state leads to its task once' },
      { file: 'test/hub/tasks.test.ts', title: 'gets the questions of a task' },
    ],
  },
  {
    id: 'task-asks-its-client',
    promise: 7,
    source: 'docs/hub.md, Servers that ask',
    text: 'Questions of a task managed by a 2025-11-25 client go to that client under the hub’s task id.',
    tests: [
      {
        file: 'test/hub/asking-tasks.test.ts',
        title: "asks under the hub's task id, and names its server at the common address",
      },
      { file: 'test/hub/asking-tasks.test.ts', title: 'never asks another client that has tasks with questions' },
      { file: 'test/hub/asking-tasks.test.ts', title: 'is freed when its client leaves' },
    ],
  },
  {
    id: 'task-ids-of-one-principal',
    promise: 7,
    source: 'docs/hub.md, Servers that ask',
    text: 'A task can be queried by the principal whose call it was, and no other.',
    tests: [
      {
        file: 'packages/hub/src/gateway/relay/task/task-ids.test.ts',
        title: 'an id leads back to its task, for its principal only',
      },
      { file: 'test/hub/old-passed-tasks.test.ts', title: 'cancels a task for the principal of its call only' },
      {
        file: 'test/hub/passed-tasks.test.ts',
        title: "refuses a task to other principals, and under the server's own task id",
      },
    ],
  },
];
