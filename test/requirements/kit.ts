// The kit's promises. A scenario of test/scenarios proves each row in each of its cells.
import { type CellName, cellNames, legacyOverHttp, modernOverHttp, overHttp } from '../cells.ts';
import type { Requirement } from './requirement.ts';

export interface KitRequirement extends Requirement {
  cells: readonly CellName[];
}

const everywhere = cellNames;
const http = overHttp;

export const kitRequirements: readonly KitRequirement[] = [
  {
    id: 'told-of-change',
    source: 'MCP 2026-07-28, basic/patterns/subscriptions; MCP 2025-11-25, server/resources',
    promise: 1,
    cells: everywhere,
    text: 'A subscriber is notified of every change.',
  },
  {
    id: 'gap-means-changed',
    source: 'promise 1',
    promise: 1,
    cells: http,
    text: 'When changes were lost, everything is reported as changed.',
  },
  {
    id: 'dirty-until-stream',
    source: 'promise 1',
    promise: 1,
    cells: legacyOverHttp,
    text: 'Changes while no GET stream is open are notified when one opens.',
  },
  {
    id: 'reconnect-is-a-gap',
    source: 'promise 1',
    promise: 1,
    cells: legacyOverHttp,
    text: 'A client that reconnects is notified again of updates that may not have arrived.',
  },
  {
    id: 'read-after-notify',
    source: 'promise 2',
    promise: 2,
    cells: everywhere,
    text: 'A read that follows a notification sees the change.',
  },
  {
    id: 'stalled-reader-bounded',
    source: 'promise 3',
    promise: 3,
    cells: everywhere,
    text: 'A stalled client uses one entry per URI and gets the latest update when it reads again.',
  },
  {
    id: 'cost-follows-interest',
    source: 'promise 4',
    promise: 4,
    cells: everywhere,
    text: 'The cost of a change depends on its subscribers only.',
  },
  {
    id: 'one-write-per-tick',
    source: 'promise 4',
    promise: 4,
    cells: http,
    text: 'Changes of one tick reach a stream in one write.',
  },
  {
    id: 'leading-and-trailing',
    source: 'promise 5',
    promise: 5,
    cells: everywhere,
    text: 'The first update goes out at once, and the last is never lost.',
  },
  {
    id: 'bursts-merge',
    source: 'promise 5',
    promise: 5,
    cells: everywhere,
    text: 'Changes within a window lead to one notification.',
  },
  {
    id: 'own-spelling',
    source: 'promise 6',
    promise: 6,
    cells: everywhere,
    text: 'A notification carries the URI exactly as that client wrote it.',
  },
  {
    id: 'exact-reach',
    source: 'promise 7',
    promise: 7,
    cells: everywhere,
    text: 'Only subscribers of that resource are notified.',
  },
  {
    id: 'unsubscribe-at-once',
    source: 'MCP 2025-11-25, server/resources',
    promise: 7,
    cells: everywhere,
    text: 'Unsubscribing takes effect at once.',
  },
  {
    id: 'no-ghosts',
    source: 'promise 7',
    promise: 7,
    cells: http,
    text: 'Everything is freed when a client leaves, however it leaves.',
  },
  {
    id: 'silent-peer',
    source: 'promise 7',
    promise: 7,
    cells: http,
    text: 'A stream whose client reads nothing for two keep-alives is closed.',
  },
  {
    id: 'permission-at-every-step',
    source: 'promise 7',
    promise: 7,
    cells: http,
    text: 'Resources that a caller may not read are not listed, read, subscribed to or notified.',
  },
  {
    id: 'revoked-ends-stream',
    source: 'promise 7',
    promise: 7,
    cells: http,
    text: 'A withdrawn permission and an expired credential end the stream.',
  },
  {
    id: 'honest-capabilities',
    source: 'MCP 2026-07-28, server/resources',
    promise: 8,
    cells: everywhere,
    text: 'Advertised capabilities are delivered.',
  },
  {
    id: 'no-empty-promises',
    source: 'MCP 2026-07-28, server/discover',
    promise: 8,
    cells: http,
    text: 'A server without tools or prompts does not advertise them.',
  },
  {
    id: 'topics-reach-every-uri',
    source: 'ARCHITECTURE.md, Words',
    cells: everywhere,
    text: 'A topic reaches every URI that depends on it, also URIs with parameters chosen by clients.',
  },
  {
    id: 'subscribe-before-it-exists',
    source: 'ARCHITECTURE.md, One mechanism',
    cells: everywhere,
    text: 'A resource can be subscribed to before it exists.',
  },
  {
    id: 'unroutable-refused',
    source: 'MCP 2026-07-28, basic/patterns/subscriptions',
    cells: everywhere,
    text: 'A URI that matches no route is refused; the other URIs of the request are accepted.',
  },
  {
    id: 'list-changed',
    source: 'MCP 2026-07-28, server/resources',
    cells: everywhere,
    text: 'A changed list is announced.',
  },
  {
    id: 'tools-list-changed',
    source: 'MCP 2026-07-28, server/tools',
    cells: everywhere,
    text: 'Added and removed tools are announced, and available on open connections.',
  },
  {
    id: 'pages',
    source: 'MCP 2026-07-28, server/utilities/pagination',
    cells: http,
    text: 'Every resource is listed exactly once over many pages.',
  },
  {
    id: 'surprise-not-leaked',
    source: 'docs/errors.md, Errors',
    cells: everywhere,
    text: 'A programming error reaches the client without its text.',
  },
  {
    id: 'error-codes',
    source: 'docs/errors.md, Errors',
    cells: http,
    text: 'Each error has its JSON-RPC code, its stable code and the URI, by era.',
  },
  {
    id: 'graceful-end',
    source: 'MCP 2026-07-28, basic/patterns/subscriptions',
    cells: [...modernOverHttp, 'modern-stdio'],
    text: 'A shutdown ends each listen request with its completing result, after pending notifications.',
  },
  {
    id: 'acknowledged-first',
    source: 'MCP 2026-07-28, basic/patterns/subscriptions',
    cells: [...modernOverHttp, 'modern-stdio'],
    text: 'The acknowledgement comes first and every frame carries the subscription id.',
  },
  {
    id: 'keep-alive',
    source: 'MCP 2026-07-28, basic/transports/streamable-http',
    cells: http,
    text: 'A quiet stream is kept alive.',
  },
  {
    id: 'second-stream-replaces',
    source: 'MCP 2025-11-25, basic/transports',
    cells: legacyOverHttp,
    text: 'A second GET stream replaces the first.',
  },
  {
    id: 'idle-session-ends',
    source: 'promise 3',
    cells: legacyOverHttp,
    text: 'A session without a stream ends when idle; one with a stream never does.',
  },
  {
    id: 'limits',
    source: 'promise 3',
    cells: http,
    text: 'Sessions, streams, URIs, bodies and URI lengths have limits that answer LIMIT_EXCEEDED.',
  },
  {
    id: 'host-and-origin',
    source: 'MCP 2026-07-28, basic/transports/streamable-http',
    cells: http,
    text: 'A foreign Host or Origin is refused.',
  },
  {
    id: 'logs-as-asked',
    source: 'MCP 2026-07-28, server/utilities/logging; MCP 2025-11-25, server/utilities/logging',
    cells: everywhere,
    text: 'A client gets the log messages of its own requests, from its chosen level up.',
  },
  {
    id: 'direct-answers-alike',
    source: 'ARCHITECTURE.md, Two eras, one endpoint',
    cells: [...modernOverHttp, 'modern-stdio'],
    text: 'A plain read or list, which bypasses the SDK, is answered as the SDK would answer it.',
  },
];
