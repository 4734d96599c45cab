// What each caller may see, do and use up.
import type { TestedRequirement } from '../requirement.ts';

const access = 'test/hub/access.test.ts';
const edited = 'test/hub/edited-access.test.ts';

export const accessRequirements: readonly TestedRequirement[] = [
  {
    id: 'access-decided-everywhere',
    promise: 7,
    source: 'SECURITY.md, What holds',
    text: 'Access is decided for every principal, every way into the hub and every spelling of a URI.',
    tests: [
      { file: 'test/access/matrix.test.ts', title: 'has a rule for every cell, and no rule without a cell' },
      { file: 'test/access/matrix.test.ts', title: 'has a row for every route of the hub' },
    ],
  },
  {
    id: 'part-only',
    promise: 7,
    source: 'SECURITY.md, What holds',
    text: 'A token for some of the resources sees, and is notified of, only these.',
    tests: [
      { file: access, title: 'shows a limited token only its resources, on every route' },
      { file: access, title: 'notifies a limited token only of its resources' },
    ],
  },
  {
    id: 'revoked-token-cut',
    promise: 7,
    source: 'SECURITY.md, What holds',
    text: 'Removing a token ends its streams and sessions.',
    tests: [{ file: edited, title: 'ends every stream and session of a removed token, and no others' }],
  },
  {
    id: 'hidden-server-unmentioned',
    promise: 7,
    source: 'SECURITY.md, What holds',
    text: 'A server that is hidden from a caller is mentioned nowhere, not even by its capabilities.',
    tests: [{ file: 'test/access/hidden-servers.test.ts', title: 'is mentioned in no response to $who: $server' }],
  },
  {
    id: 'pinned-definitions',
    promise: 7,
    source: 'SECURITY.md, What holds',
    text: 'A changed tool of a pinned server is withheld until a person agrees to it.',
    tests: [
      {
        file: 'test/hub/definitions.test.ts',
        title: 'withholds a changed and a new tool everywhere, and reports them, until a person agrees',
      },
      {
        file: 'test/hub/definitions.test.ts',
        title: 'withholds its changed name too, and lists its resources without their texts',
      },
    ],
  },
  {
    id: 'unread-answers-bounded',
    promise: 3,
    source: 'SECURITY.md, What holds',
    text: 'Unread response bytes are limited per principal.',
    tests: [{ file: 'test/hub/quotas.test.ts', title: 'bytes that it does not read (%s)' }],
  },
  {
    id: 'left-calls-count',
    promise: 3,
    source: 'SECURITY.md, What holds',
    text: 'A call counts against the quota of its caller until it has ended, also after its client has left.',
    tests: [{ file: 'test/hub/quotas.test.ts', title: 'requests in flight, with calls that its clients have left' }],
  },
];
