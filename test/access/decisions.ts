// What has been decided for every cell of the matrix, as rules: the first that holds decides. A cell for which none
// holds has not been decided, and fails the test.
import type { Principal, Spelling, Target } from './cells.ts';
import type { Outcome, Way } from './ways.ts';

export interface Cell {
  who: Principal;
  way: Way;
  target: Target;
  /** `none` for a way that takes no URI. */
  spelling: Spelling | 'none';
}

export interface Rule {
  because: string;
  holds(this: void, cell: Cell): boolean;
  outcome: Outcome | ((cell: Cell) => Outcome);
}

/** A cell that makes no sense, and is not tried. */
export const notAsked = 'not asked';

type Name = Target['name'];
type Server = Target['server'];

/** The resources that each caller opens. */
const opens: Record<Principal, readonly Name[]> = {
  whole: ['handbook', 'salaries', 'keys', 'call'],
  allow: ['handbook', 'call'],
  redact: ['call'],
  both: ['call'],
  bound: ['handbook', 'salaries'],
  issued: ['handbook', 'salaries'],
  removed: [],
  none: [],
};
const sees: Record<Principal, readonly Server[]> = {
  whole: ['docs', 'secret', 'vcon'],
  allow: ['docs', 'vcon'],
  redact: ['vcon'],
  both: ['vcon'],
  bound: ['docs'],
  issued: ['docs'],
  removed: [],
  none: [],
};
/** Servers all of whose resources a caller opens, or those that a template stands for. */
const opensTemplateOf: Record<Principal, readonly Server[]> = { ...sees, allow: ['vcon'] };
const calls: Record<Principal, readonly Server[]> = sees;
const callsWriting: Record<Principal, readonly Server[]> = { ...sees, allow: [], redact: [], both: [] };
const prompts: Record<Principal, readonly Server[]> = { ...sees, allow: ['docs'], both: [], bound: [], issued: [] };

const isUnlimited = ({ who }: Cell) => who === 'whole';
const isKnown = ({ who }: Cell) => who !== 'removed' && who !== 'none';
const hasPatterns = ({ who }: Cell) => who === 'allow' || who === 'both';
const isOpen = ({ who, target }: Cell) => opens[who].includes(target.name);
const isVisible = ({ who, target }: Cell) => sees[who].includes(target.server);
const isAddress = ({ spelling }: Cell) => spelling.startsWith('tidings://');
const isOf =
  (...kinds: Way['kind'][]) =>
  ({ way }: Cell) =>
    kinds.includes(way.kind);
const among =
  (table: Record<Principal, readonly Server[]>) =>
  ({ who, target }: Cell) =>
    table[who].includes(target.server) ? 'open' : 'absent';
/** A pattern holds for the URI as it is written, and for its address. */
const isAsWritten = (cell: Cell) =>
  isTidiedByClient(cell) ||
  // The letter is within what the pattern has two stars for.
  (cell.spelling === 'escaped letter' && cell.target.name === 'call') ||
  ['plain', 'slash at the end', 'tidings://', 'tidings:// in capitals'].includes(cell.spelling);
/** The conversations are strict: for them, these are other URIs. */
const isNoConversation = (cell: Cell) =>
  cell.target.name === 'call' && /dot segments|backslashes/.test(cell.spelling) && !isTidiedByClient(cell);
const content = ({ who, target }: Cell): Outcome =>
  target.name === 'call' && (who === 'redact' || who === 'both') ? 'redacted' : 'open';
/** The dots are gone before the request is sent. */
const isTidiedByClient = ({ way, spelling }: Cell) =>
  way.name.endsWith('slashes as they are') && spelling === 'dot segments';
const isServerNamed = ({ way }: Cell) => way.name.includes('?server=');

export const rules: readonly Rule[] = [
  {
    because: 'a way that takes a URI is asked for one',
    holds: ({ way, spelling }) => way.withUri !== undefined && spelling === 'none',
    outcome: notAsked,
  },
  {
    because: 'a way that takes no URI has no spellings',
    holds: ({ way, spelling }) => way.without !== undefined && spelling !== 'none',
    outcome: notAsked,
  },
  {
    because: 'only conversations have old URIs',
    holds: ({ target, spelling }) => spelling === 'alias' && target.name !== 'call',
    outcome: notAsked,
  },
  { because: 'a caller without a valid token gets nowhere', holds: (cell) => !isKnown(cell), outcome: '401' },
  { because: 'the page is for every valid token', holds: isOf('page'), outcome: 'open' },
  {
    because: 'what tells of everything, or changes it for all, is for a token without limits',
    holds: isOf('admin'),
    outcome: (cell) => (isUnlimited(cell) ? 'open' : '403'),
  },
  {
    because: 'a token with limits sees its own clients, and nothing of other tokens',
    holds: isOf('clients'),
    outcome: (cell) => (isUnlimited(cell) ? 'open' : 'own'),
  },
  {
    because: 'a hidden server alone is not found',
    holds: (cell) => cell.way.isSingle === true && !isVisible(cell),
    outcome: '404',
  },
  {
    because: 'extensions are those of the servers that a caller sees; the 2025 era has none',
    holds: isOf('extension'),
    outcome: (cell) =>
      cell.target.server === 'vcon' || cell.way.name.includes('legacy') ? 'absent' : among(sees)(cell),
  },
  {
    because: 'a task is of use to its own caller only, under the id of the hub',
    holds: isOf('task'),
    outcome: 'absent',
  },
  { because: 'every caller may have a session', holds: isOf('session'), outcome: 'open' },

  {
    because: 'kept versions are as the server sent them, so a redaction shows none',
    holds: (cell) => isOf('history')(cell) && cell.who === 'redact' && isOpen(cell),
    outcome: 'PERMISSION_DENIED',
  },
  {
    because: 'kept versions are for whom the resource is open; of other servers nothing is known',
    holds: isOf('history'),
    outcome: (cell) => {
      if (hasPatterns(cell))
        return cell.who === 'allow' && isOpen(cell) && isAsWritten(cell) ? 'open' : 'PERMISSION_DENIED';
      if (isOpen(cell)) return 'open';
      return isAddress(cell) ? 'RESOURCE_NOT_FOUND' : 'INVALID_URI';
    },
  },
  {
    because: 'patterns open URIs as they write them, and no other spelling',
    holds: (cell) =>
      isOf('read', 'subscribe', 'wait')(cell) && hasPatterns(cell) && !(isOpen(cell) && isAsWritten(cell)),
    outcome: ({ way }) => (way.name.startsWith('subscribe, modern') ? 'absent' : 'PERMISSION_DENIED'),
  },
  {
    because: 'an address within a server that is named by ?server= is no address',
    holds: (cell) => isOf('read')(cell) && isServerNamed(cell) && isAddress(cell),
    outcome: (cell) => {
      if (hasPatterns(cell)) return 'PERMISSION_DENIED';
      return isVisible(cell) && cell.target.server === 'vcon' ? 'INVALID_URI' : 'RESOURCE_NOT_FOUND';
    },
  },
  {
    because: 'a hidden server has no address',
    holds: (cell) => isOf('read')(cell) && !isVisible(cell) && (isAddress(cell) || isServerNamed(cell)),
    outcome: 'RESOURCE_NOT_FOUND',
  },
  {
    because: 'the scheme of a hidden server is unknown',
    holds: (cell) => isOf('read')(cell) && !isVisible(cell),
    outcome: 'INVALID_URI',
  },
  {
    because: 'the conversations know no dot segments',
    holds: (cell) => isOf('read')(cell) && isNoConversation(cell),
    outcome: 'RESOURCE_NOT_FOUND',
  },
  { because: 'what a caller opens, it reads', holds: isOf('read'), outcome: content },

  {
    because: 'what belongs to a hidden server cannot be subscribed to',
    holds: (cell) => isOf('subscribe')(cell) && !isVisible(cell),
    outcome: (cell) => {
      if (cell.way.name.startsWith('subscribe, modern')) return 'absent';
      return isAddress(cell) ? 'RESOURCE_NOT_FOUND' : 'INVALID_URI';
    },
  },
  { because: 'a resource may be subscribed to before it exists', holds: isOf('subscribe'), outcome: 'open' },
  {
    because: 'what belongs to a hidden server cannot be waited for',
    holds: (cell) => isOf('wait')(cell) && !isVisible(cell),
    outcome: (cell) => (isAddress(cell) ? 'RESOURCE_NOT_FOUND' : 'INVALID_URI'),
  },
  { because: 'a caller may wait for what does not exist', holds: isOf('wait'), outcome: 'open' },

  {
    because: 'what a caller opens, it hears of and sees listed, and nothing else',
    holds: isOf('hear', 'list', 'links'),
    outcome: (cell) => (isOpen(cell) ? 'open' : 'absent'),
  },
  {
    because: 'a template is shown where all it stands for is open',
    holds: isOf('template'),
    outcome: among(opensTemplateOf),
  },
  { because: 'a tool has to be named', holds: isOf('tool'), outcome: among(calls) },
  {
    because: 'a tool that writes has to be named, and there is none under a redaction',
    holds: isOf('writing tool'),
    outcome: among(callsWriting),
  },
  { because: 'a prompt has to be named', holds: isOf('prompt'), outcome: among(prompts) },
  { because: 'a server is seen where something of it is open', holds: isOf('server'), outcome: among(sees) },
];
