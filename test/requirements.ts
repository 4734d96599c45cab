// What the kit promises, as data. test/requirements.test.ts proves each line in each of its cells and
// fails for a line that nothing proves.
import { type CellName, cellNames } from './cells.ts';

export interface Requirement {
  id: string;
  text: string;
  /** The promise of ARCHITECTURE.md it stands for; every promise must have a sabotage too. */
  promise?: number;
  cells: readonly CellName[];
}

const everywhere = cellNames;
const http = ['modern-http', 'legacy-http'] as const;

export const requirements: readonly Requirement[] = [
  { id: 'told-of-change', promise: 1, cells: everywhere, text: 'A subscriber is told of every change.' },
  { id: 'gap-means-changed', promise: 1, cells: http, text: 'When changes were lost, everything is told as changed.' },
  {
    id: 'dirty-until-stream',
    promise: 1,
    cells: ['legacy-http'],
    text: 'What changes while no GET stream is open is told when one opens.',
  },
  {
    id: 'reconnect-is-a-gap',
    promise: 1,
    cells: ['legacy-http'],
    text: 'A client that reconnects is told again of what may not have arrived.',
  },
  {
    id: 'read-after-notify',
    promise: 2,
    cells: everywhere,
    text: 'A read that follows a notification sees the change.',
  },
  {
    id: 'stalled-reader-bounded',
    promise: 3,
    cells: everywhere,
    text: 'A stalled reader costs one entry per URI and gets the latest when it reads on.',
  },
  {
    id: 'cost-follows-interest',
    promise: 4,
    cells: everywhere,
    text: 'A change touches its subscribers and nobody else.',
  },
  {
    id: 'one-write-per-tick',
    promise: 4,
    cells: http,
    text: 'All that changes in one tick reaches a stream in one write.',
  },
  {
    id: 'leading-and-trailing',
    promise: 5,
    cells: everywhere,
    text: 'The first update goes out at once, and the last is never lost.',
  },
  { id: 'bursts-merge', promise: 5, cells: everywhere, text: 'What changes within a window is told once.' },
  {
    id: 'own-spelling',
    promise: 6,
    cells: everywhere,
    text: 'A notification carries the URI exactly as that client wrote it.',
  },
  { id: 'exact-reach', promise: 7, cells: everywhere, text: 'Only subscribers of that resource are told.' },
  { id: 'unsubscribe-at-once', promise: 7, cells: everywhere, text: 'Unsubscribing takes effect at once.' },
  { id: 'no-ghosts', promise: 7, cells: http, text: 'A client that leaves, however it leaves, frees everything.' },
  { id: 'silent-peer', promise: 7, cells: http, text: 'A peer that takes nothing for two keep-alives is let go.' },
  {
    id: 'permission-at-every-step',
    promise: 7,
    cells: http,
    text: 'What a caller may not read is not listed, read, subscribed to or told.',
  },
  {
    id: 'revoked-ends-stream',
    promise: 7,
    cells: http,
    text: 'A permission that is withdrawn ends the stream; so does an expired credential.',
  },
  { id: 'honest-capabilities', promise: 8, cells: everywhere, text: 'What is advertised is delivered.' },
  {
    id: 'no-empty-promises',
    promise: 8,
    cells: http,
    text: 'A server without resources, tools or prompts does not advertise them.',
  },
  {
    id: 'topics-reach-every-uri',
    cells: everywhere,
    text: 'A topic reaches every URI that depends on it, whatever the client chose.',
  },
  { id: 'subscribe-before-it-exists', cells: everywhere, text: 'A resource can be subscribed to before it exists.' },
  { id: 'unroutable-refused', cells: everywhere, text: 'A URI that matches no route is refused, the others are not.' },
  { id: 'list-changed', cells: everywhere, text: 'A list that changed is announced.' },
  {
    id: 'tools-list-changed',
    cells: everywhere,
    text: 'Tools that come and go are announced, and do so on open connections.',
  },
  { id: 'pages', cells: http, text: 'Every resource is listed exactly once over many pages.' },
  { id: 'surprise-not-leaked', cells: everywhere, text: 'A programming error reaches the client without its text.' },
  { id: 'error-codes', cells: http, text: 'Each error has its JSON-RPC code, its stable code and the URI, by era.' },
  {
    id: 'graceful-end',
    cells: ['modern-http', 'modern-stdio'],
    text: 'A shutdown ends each listen request with its completing result, after what was due.',
  },
  {
    id: 'acknowledged-first',
    cells: ['modern-http', 'modern-stdio'],
    text: 'The acknowledgement comes first and every frame carries the subscription id.',
  },
  { id: 'keep-alive', cells: http, text: 'A quiet stream is kept alive.' },
  { id: 'second-stream-replaces', cells: ['legacy-http'], text: 'A second GET stream replaces the first.' },
  {
    id: 'idle-session-ends',
    cells: ['legacy-http'],
    text: 'A session without a stream ends when idle; one with a stream never does.',
  },
  {
    id: 'limits',
    cells: http,
    text: 'Sessions, streams, URIs, bodies and URI lengths have limits that answer LIMIT_EXCEEDED.',
  },
  { id: 'host-and-origin', cells: http, text: 'A foreign Host or Origin is refused.' },
];
