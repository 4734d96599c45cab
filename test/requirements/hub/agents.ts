// What agents are told: lines in sessions, and the hooks of hosts.
import type { TestedRequirement } from '../requirement.ts';

const agent = 'test/hub/agent-session.test.ts';

export const agentRequirements: readonly TestedRequirement[] = [
  {
    id: 'hook-says-what-changed',
    promise: 1,
    source: 'docs/hooks.md, What a hook says',
    text: 'The hook of a host names resources that were read and have changed since, once to each of its sessions.',
    tests: [
      { file: 'test/hub/hooks.test.ts', title: 'reports the changes since the reads of a %s client once' },
      {
        file: 'test/hub/hooks.test.ts',
        title: 'reports changes of subscribed resources, also of a server that is not tracked',
      },
      {
        file: 'packages/hub/src/hook/hooks.test.ts',
        title: 'gets a change again if its host did not get the response',
      },
      {
        file: 'packages/hub/src/hook/hooks.test.ts',
        title: 'gets a change that only another session of the host has read',
      },
    ],
  },
  {
    id: 'hook-reach',
    promise: 7,
    source: 'docs/hooks.md, What a hook says',
    text: 'A hook reports only resources read with the same token and permitted by it.',
    tests: [
      {
        file: 'test/hub/hooks.test.ts',
        title: 'reports nothing to other tokens, and to a limited token only permitted resources',
      },
      { file: 'packages/hub/src/hook/hooks.test.ts', title: 'gets only changes that its token permits' },
    ],
  },
  {
    id: 'hook-bounded',
    promise: 3,
    source: 'docs/hooks.md, What a hook says',
    text: 'The text of a hook is short, however much has changed, and the record of reported changes takes limited memory.',
    tests: [
      {
        file: 'packages/hub/src/hook/hooks.test.ts',
        title: 'has legal characters and a limited length, however much has changed',
      },
      {
        file: 'packages/hub/src/hook/host-sessions.test.ts',
        title: 'are limited in number per token and in total, and the one unused for longest is forgotten',
      },
    ],
  },
  {
    id: 'hook-never-blocks',
    source: 'docs/hooks.md, Over HTTP',
    text: 'The hook of a host never fails, never takes long, and continues a turn at most once.',
    tests: [
      { file: 'test/cli/hook.test.ts', title: 'is silent, and soon, where the answer is %s' },
      {
        file: 'test/cli/hook.test.ts',
        title: 'prints nothing without a hub, and for input that is invalid or does not end',
      },
      { file: 'test/cli/hook.test.ts', title: 'does not make the host refuse when the settings are wrong' },
      {
        file: 'packages/hub/src/hook/hook-turns.test.ts',
        title: 'the hook of %s at %s with %o is empty, and the changes stay pending',
      },
    ],
  },
  {
    id: 'agent-line-again',
    promise: 1,
    source: 'resource tracking story 3',
    text: 'A line that an agent session refused or may not have received is sent again.',
    tests: [
      { file: agent, title: 'is sent again after a pause, and nothing else is' },
      { file: agent, title: 'and never confirmed its lines: gets them again, with later ones' },
    ],
  },
  {
    id: 'agent-bounded',
    promise: 3,
    source: 'promise 3',
    text: 'A session that does not respond has at most one pending line per resource.',
    tests: [
      {
        file: agent,
        title: 'during a message: keeps one line for each resource, counts as lost, and gets the lines when it is back',
      },
    ],
  },
];
