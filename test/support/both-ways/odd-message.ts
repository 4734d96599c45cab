// JSON-RPC messages as bytes: valid, almost valid and invalid ones.
import fc from 'fast-check';
import { plainAnswers } from './plain-answers.ts';

export const modern = '2026-07-28';
const key = (name: string) => `io.modelcontextprotocol/${name}`;
/** A placeholder for JSON text that no value is serialised to. */
const raw = (text: string) => `@@${text}@@`;
const proto = raw('"__proto__"');

const uris = fc.constantFrom(
  'note://a',
  'note://none',
  'note://secret',
  'note://a%20b',
  'NOTE://a',
  'note://',
  'note://a/b',
  'note://%zz',
  'note://\u00e9',
  'note://\u2603',
  `note://${'x'.repeat(300)}`,
  'cached://x',
  'bytes://all',
  'many://all',
  'rule://odd',
  'rule://half',
  'unknown://value',
  'typed://x',
  'fault://surprise',
  'fault://limit',
  'fault://unavailable',
  'fault://-32002',
  'fault://-32021',
  'fault://-32042',
  'fault://1.5',
  'fault://-32602',
  'fault://-32603',
  'other://x',
  'no uri',
  '',
  '=?base64?bm90ZTovL2E=?=',
);

const base = fc
  .record({
    method: fc.constantFrom(
      'resources/read',
      'resources/read',
      'resources/list',
      'subscriptions/listen',
      'tools/call',
      'tools/call',
    ),
    id: fc.oneof({ weight: 6, arbitrary: fc.integer() }, fc.string({ unit: 'binary', maxLength: 4 })),
    uri: uris,
    lists: fc.record(
      { toolsListChanged: fc.boolean(), promptsListChanged: fc.boolean(), resourcesListChanged: fc.boolean() },
      { requiredKeys: [] },
    ),
    watched: fc.option(fc.array(uris, { maxLength: 6 }), { nil: undefined }),
    tool: fc.constantFrom('wait', 'wait', 'plain', 'plain', 'typed', 'nothing', 'hidden', 'none', '\u2603'),
    how: fc.constantFrom('at once', 'later', 'limit', 'surprise', 'throw', '-32002', 'large', 'other', ...plainAnswers),
    hasClient: fc.boolean(),
  })
  .map(({ method, id, uri, lists, watched, tool, how, hasClient }) => ({
    jsonrpc: '2.0',
    id,
    method,
    params: {
      ...(method === 'resources/read' && { uri }),
      ...(method === 'tools/call' && { name: tool, arguments: { how } }),
      ...(method === 'subscriptions/listen' && {
        notifications: { ...lists, ...(watched && { resourceSubscriptions: watched }) },
      }),
      _meta: {
        [key('protocolVersion')]: modern,
        [key('clientCapabilities')]: {},
        ...(hasClient && { [key('clientInfo')]: { name: 'fuzz', version: '1' } }),
      },
    },
  }));

type Path = readonly string[];

/** Paths below `path`, separated by spaces; `a>b` is the member `b` of the member `a`. */
function below(path: Path, members: string): Path[] {
  return members.split(' ').map((member) => path.concat(member.split('>')));
}

const meta: Path = ['params', '_meta'];
const capabilities: Path = [...meta, key('clientCapabilities')];
const client: Path = [...meta, key('clientInfo')];
const filter: Path = ['params', 'notifications'];

const paths = fc.constantFrom<Path>(
  [],
  ...below([], `jsonrpc id method params extra result error ${proto}`),
  ...below(['params'], 'name arguments arguments>how arguments>extra'),
  ...below(['params'], `uri cursor extra inputResponses requestState task _meta notifications ${proto}`),
  ...below(meta, `progressToken traceparent tracestate baggage com.example/own ${proto}`),
  ...below(meta, ['protocolVersion', 'logLevel', 'related-task', 'other'].map(key).join(' ')),
  capabilities,
  ...below(capabilities, 'roots roots>listChanged tasks sampling sampling>context sampling>other other'),
  ...below(capabilities, 'elicitation elicitation>form elicitation>form>applyDefaults elicitation>url>x'),
  ...below(capabilities, `experimental experimental>x extensions extensions>a/b>c extensions>${proto}`),
  client,
  ...below(client, `name version title icons websiteUrl description extra ${proto}`),
  ...below(filter, 'toolsListChanged promptsListChanged resourcesListChanged resourceSubscriptions'),
  ...below(filter, 'resourceSubscriptions>0 extra'),
);

const values = fc.constantFrom<unknown>(
  null,
  true,
  false,
  0,
  -0,
  1,
  -7,
  1.5,
  1e21,
  2 ** 53,
  '',
  'x',
  '2.0',
  '2.1',
  modern,
  '2025-11-25',
  '2027-01-01',
  'resources/read',
  'resources/list',
  'subscriptions/listen',
  'resources/templates/list',
  'tools/call',
  'wait',
  'later',
  'tools/list',
  'ping',
  'initialize',
  'server/discover',
  'no/such',
  'note://a',
  'debug',
  'loud',
  '00-1-2-3',
  '\u2603',
  '\ud800',
  'bm8',
  'eyJ0Ijoibm90ZTovL3tuYW1lfSIsInUiOiJub3RlOi8vYyJ9',
  [],
  ['note://a'],
  [1],
  [null],
  [['a']],
  {},
  { a: 1 },
  { a: {} },
  { listChanged: true },
  { listChanged: 1 },
  { form: {} },
  { context: {}, tools: {} },
  { x: { y: ['z'], n: 1, b: true } },
  { x: { y: [1] } },
  { x: { y: { z: null } } },
  { x: 1 },
  { x: [] },
  { form: { applyDefaults: true } },
  { form: { applyDefaults: 'x' } },
  { url: { a: 1 } },
  { roots: {} },
  { name: 'n', version: 'v' },
  { name: 'n' },
  { name: 1, version: 'v' },
  { name: 'n', version: 'v', icons: [] },
  { taskId: 't' },
  raw('1e999'),
  raw('-1e999'),
  raw('1E2'),
  raw('"\\u006eote://a"'),
  raw('0.0'),
  raw('truE'),
);

interface Change {
  readonly path: Path;
  readonly value: unknown;
  readonly isRemoved: boolean;
}

const change: fc.Arbitrary<Change> = fc.record({ path: paths, value: values, isRemoved: fc.boolean() });

function changed(message: unknown, { path, value, isRemoved }: Change): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  if (typeof message !== 'object' || message === null) return message;
  const copy: Record<string, unknown> = { ...message };
  const isLast = rest.length === 0;
  if (isLast && isRemoved && first in copy) delete copy[first];
  else copy[first] = isLast ? value : changed(copy[first] ?? {}, { path: rest, value, isRemoved });
  return Array.isArray(message) ? Object.values(copy) : copy;
}

/** Serialises to JSON and replaces the placeholders. */
function written(message: unknown): string {
  const text = JSON.stringify(message) ?? '';
  return text.replaceAll(/"@@(.*?)@@"/g, (_, inner: string) => inner.replaceAll('\\"', '"').replaceAll('\\\\', '\\'));
}

const textChanges: Record<string, (text: string) => Buffer> = {
  'twice the id': (text) => Buffer.from(text.replace('"id":', '"id":"first","id":')),
  'twice the params': (text) => Buffer.from(text.replace('"params":', '"params":{"uri":"note://b"},"params":')),
  'a mark before': (text) => Buffer.from(`\ufeff${text}`),
  'two marks before': (text) => Buffer.from(`\ufeff\ufeff${text}`),
  'space around': (text) => Buffer.from(` \r\n\t${text}\n `),
  'a batch': (text) => Buffer.from(`[${text}]`),
  'an empty batch': () => Buffer.from('[]'),
  nothing: () => Buffer.alloc(0),
  'cut short': (text) => Buffer.from(text.slice(0, -1)),
  'something after': (text) => Buffer.from(`${text}x`),
  'latin-1': (text) => Buffer.from(text, 'latin1'),
  'UTF-16': (text) => Buffer.from(text, 'utf16le'),
  'bytes that are no text': (text) => Buffer.concat([Buffer.from(text.slice(0, 20)), Buffer.from([0xff, 0xc0])]),
  'too large': (text) => Buffer.from(text + ' '.repeat(21_000)),
  'too deep': () => Buffer.from('{"a":'.repeat(1500) + '1' + '}'.repeat(1500)),
};

export interface OddMessage {
  /** The message before changes. */
  readonly meant: unknown;
  readonly text: string;
  readonly body: Buffer;
}

export const oddMessage: fc.Arbitrary<OddMessage> = fc
  .record({
    meant: base,
    changes: rarely(change, 3),
    textChange: fc.oneof(
      { weight: 20, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom(...Object.values(textChanges)) },
    ),
  })
  .map(({ meant, changes, textChange }) => {
    const text = written(changes.reduce<unknown>(changed, meant));
    return { meant, text, body: textChange?.(text) ?? Buffer.from(text) };
  });

/** Empty in most cases. */
export function rarely<T>(arbitrary: fc.Arbitrary<T>, most: number): fc.Arbitrary<T[]> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant<T[]>([]) },
    { weight: 2, arbitrary: fc.array(arbitrary, { maxLength: most }) },
  );
}
