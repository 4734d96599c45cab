// The decisions for all cells of the matrix, as rules: the first rule that holds decides. A cell without a rule fails
// the test.
import type { Principal, Spelling, Target } from './cells.ts';
import type { Outcome, Way } from './way.ts';

export interface Cell {
  who: Principal;
  way: Way;
  target: Target;
  /** `none` for a way without a URI. */
  spelling: Spelling | 'none';
}

export interface Rule {
  because: string;
  holds(this: void, cell: Cell): boolean;
  outcome: Outcome | ((cell: Cell) => Outcome);
}

/** The outcome of cells that make no sense, which are not tested. */
export const notAsked = 'not asked';

type Name = Target['name'];
type Server = Target['server'];

/** The resources that each caller may read. */
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
/** Servers of whose resources a caller may read all, or all of the resources of their templates. */
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
/** A pattern matches the URI as it is written, and its tidings:// address. */
const isAsWritten = (cell: Cell) =>
  isTidiedByClient(cell) ||
  // The letter is in the part of the URI that the pattern's ** matches.
  (cell.spelling === 'escaped letter' && cell.target.name === 'call') ||
  ['plain', 'slash at the end', 'tidings://', 'tidings:// in capitals'].includes(cell.spelling);
/** The vCon server does not normalise URIs: these spellings name no conversation. */
const isNoConversation = (cell: Cell) =>
  cell.target.name === 'call' && /dot segments|backslashes/.test(cell.spelling) && !isTidiedByClient(cell);
const content = ({ who, target }: Cell): Outcome =>
  target.name === 'call' && (who === 'redact' || who === 'both') ? 'redacted' : 'open';
/** The client removes the dots before it sends the request. */
const isTidiedByClient = ({ way, spelling }: Cell) =>
  way.name.endsWith('slashes as they are') && spelling === 'dot segments';
const isServerNamed = ({ way }: Cell) => way.name.includes('?server=');

export const rules: readonly Rule[] = [
  {
    because: 'a way with a URI needs one',
    holds: ({ way, spelling }) => way.withUri !== undefined && spelling === 'none',
    outcome: notAsked,
  },
  {
    because: 'a way without a URI has no spellings',
    holds: ({ way, spelling }) => way.without !== undefined && spelling !== 'none',
    outcome: notAsked,
  },
  {
    because: 'only conversations have old URIs',
    holds: ({ target, spelling }) => spelling === 'alias' && target.name !== 'call',
    outcome: notAsked,
  },
  { because: 'a caller without a valid token is refused', holds: (cell) => !isKnown(cell), outcome: '401' },
  { because: 'the page is for every valid token', holds: isOf('page'), outcome: 'open' },
  {
    because: 'the login at a server is that of the hub, a built-in one has none; of hidden servers nothing is known',
    holds: isOf('login'),
    outcome: (cell) => (isVisible(cell) ? (cell.target.server === 'vcon' ? '400' : '403') : '404'),
  },
  {
    because: 'routes about the whole hub, and changes of it, need a token without limits',
    holds: isOf('admin'),
    outcome: (cell) => (isUnlimited(cell) ? 'open' : '403'),
  },
  {
    because: 'a limited token sees its own clients only',
    holds: isOf('clients'),
    outcome: (cell) => (isUnlimited(cell) ? 'open' : 'own'),
  },
  {
    because: 'the endpoint of a hidden server is not found',
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
    because: 'a task is available to its own caller only, under the hub’s id',
    holds: isOf('task'),
    outcome: 'absent',
  },
  { because: 'every caller may have a session', holds: isOf('session'), outcome: 'open' },

  {
    because: 'stored versions are unredacted, so a redacted token gets none',
    holds: (cell) => isOf('history')(cell) && cell.who === 'redact' && isOpen(cell),
    outcome: 'PERMISSION_DENIED',
  },
  {
    because: 'stored versions are available to callers who may read the resource; hidden servers are not mentioned',
    holds: isOf('history'),
    outcome: (cell) => {
      if (hasPatterns(cell))
        return cell.who === 'allow' && isOpen(cell) && isAsWritten(cell) ? 'open' : 'PERMISSION_DENIED';
      if (isOpen(cell)) return 'open';
      return isAddress(cell) ? 'RESOURCE_NOT_FOUND' : 'INVALID_URI';
    },
  },
  {
    because: 'patterns match the spelling they are written in, and no other',
    holds: (cell) =>
      isOf('read', 'subscribe', 'wait')(cell) && hasPatterns(cell) && !(isOpen(cell) && isAsWritten(cell)),
    outcome: ({ way }) => (way.name.startsWith('subscribe, modern') ? 'absent' : 'PERMISSION_DENIED'),
  },
  {
    because: 'with ?server=, a tidings:// address is not resolved',
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
    because: 'the vCon server does not resolve dot segments',
    holds: (cell) => isOf('read')(cell) && isNoConversation(cell),
    outcome: 'RESOURCE_NOT_FOUND',
  },
  { because: 'a caller may read its resources', holds: isOf('read'), outcome: content },

  {
    because: 'resources of a hidden server cannot be subscribed to',
    holds: (cell) => isOf('subscribe')(cell) && !isVisible(cell),
    outcome: (cell) => {
      if (cell.way.name.startsWith('subscribe, modern')) return 'absent';
      return isAddress(cell) ? 'RESOURCE_NOT_FOUND' : 'INVALID_URI';
    },
  },
  { because: 'a resource may be subscribed to before it exists', holds: isOf('subscribe'), outcome: 'open' },
  {
    because: 'resources of a hidden server cannot be waited for',
    holds: (cell) => isOf('wait')(cell) && !isVisible(cell),
    outcome: (cell) => (isAddress(cell) ? 'RESOURCE_NOT_FOUND' : 'INVALID_URI'),
  },
  { because: 'a resource may be waited for before it exists', holds: isOf('wait'), outcome: 'open' },

  {
    because: 'a caller gets updates and list entries of its resources only',
    holds: isOf('hear', 'list', 'links'),
    outcome: (cell) => (isOpen(cell) ? 'open' : 'absent'),
  },
  {
    because: 'a template is listed if the caller may read all of its resources',
    holds: isOf('template'),
    outcome: among(opensTemplateOf),
  },
  { because: 'a tool needs to be in the token’s list', holds: isOf('tool'), outcome: among(calls) },
  {
    because: 'a writing tool needs to be in the token’s list, and a redacted token has none',
    holds: isOf('writing tool'),
    outcome: among(callsWriting),
  },
  { because: 'a prompt needs to be in the token’s list', holds: isOf('prompt'), outcome: among(prompts) },
  {
    because: 'a server is visible if the caller may read some of its resources',
    holds: isOf('server'),
    outcome: among(sees),
  },
];
