// Checks every document that comes in: what cannot be kept is refused, what can is kept exactly as it was given, and
// deviations from the standard become warnings.
import { createHash } from 'node:crypto';
import { LiveError } from '@tidings/live';
import { isDeeperThan } from '@tidings/live/internal';
import { formOf, isFlattened, openHeaderOf, payloadOf, type Form } from './form.ts';
import { isList, isObject, type Json, type JsonObject } from './json.ts';
import { momentOf } from './moment.ts';
import { mostLevels } from './nesting.ts';
import { oldNamesIn } from './old-names.ts';
import { atMost, described, type Problem } from './problem.ts';
import { danglingReferences } from './references.ts';
import { asUuid, derivedUuid, newUuid } from './uuid.ts';
import { arrayNames, vconSchema } from './vcon.ts';

export interface Accepted {
  /** In lower case: the key. */
  readonly uuid: string;
  /** Microseconds since the epoch, of the instant of created_at whatever its offset. */
  readonly created: number;
  readonly form: Form;
  /** What is kept: the input itself, with uuid and created_at where an unsigned one had none. */
  readonly document: JsonObject;
  /** All but the four lists; of a signed or encrypted document what it says in the open, unverified. */
  readonly head: JsonObject;
  /** The same for the same content as it was given: what is added here does not count. */
  readonly digest: string;
  readonly warnings: string[];
}

export interface AcceptOptions {
  readonly now: Date;
  /** The instant that counts where created_at cannot be read: when it was first kept. Default: now. */
  readonly created?: number;
  /** It is made here and now, so a uuid and the time need not come with it. */
  readonly isNew?: boolean;
  /** Refuses whatever would else be a warning. */
  readonly strict?: boolean;
  /** Names of the extensions that may be critical. */
  readonly extensions?: readonly string[];
}

const mostWarnings = 50;
const mostRefusals = 20;

export function accept(input: unknown, options: AcceptOptions): Accepted {
  if (!isObject(input)) throw refused('The vCon is not an object: give one JSON object.');
  if (isDeeperThan(input, mostLevels)) {
    throw refused(`The vCon is nested more than ${mostLevels} levels deep: flatten it.`);
  }
  const form = formOf(input);
  const said = saidBy(input, form);
  if (form === 'unsigned') checkLists(input);
  checkCritical(said, options.extensions ?? []);

  const { now, isNew = false } = options;
  const content = canonical(input);
  const uuid = uuidOf(said) ?? (isNew ? newUuid(now.getTime()) : derivedUuid(content));
  const created = momentOf(said['created_at']);
  const added = {
    ...(isGiven(said['uuid']) ? {} : { uuid }),
    ...(isGiven(said['created_at']) ? {} : { created_at: now.toISOString() }),
  };
  const isComplete = Object.keys(added).length === 0;
  const warnings = described(problemsOf(input, form, isNew ? { ...said, ...added } : said));
  if (options.strict === true && warnings.length > 0) throw strictRefusal(warnings);
  return {
    uuid,
    created: created ?? options.created ?? now.getTime() * 1000,
    form,
    document: isComplete || form !== 'unsigned' ? input : { ...input, ...added },
    head: headOf({ ...said, ...added }),
    digest: createHash('sha256').update(content).digest('base64url'),
    warnings: atMost(mostWarnings, warnings),
  };
}

/** A document without its four lists. */
export function headOf(document: JsonObject): JsonObject {
  const lists = new Set<string>(arrayNames);
  return Object.fromEntries(Object.entries(document).filter(([name]) => !lists.has(name)));
}

/** The vCon's own words, as far as they can be read. */
export function saidBy(document: JsonObject, form: Form): JsonObject {
  if (form === 'unsigned') return document;
  const header = openHeaderOf(document);
  if (form === 'encrypted') return header;
  const { uuid } = header;
  return payloadOf(document) ?? (uuid === undefined ? {} : { uuid });
}

function checkLists(document: JsonObject): void {
  for (const name of arrayNames) {
    const list = document[name] ?? [];
    if (!isList(list)) throw refused(`${name} is not a list: give a list of objects, or leave it out.`);
    const index = list.findIndex((entry) => !isObject(entry));
    if (index >= 0) throw refused(`${name}[${index}] is not an object: every entry of ${name} must be one.`);
  }
}

function checkCritical(said: JsonObject, supported: readonly string[]): void {
  for (const field of ['critical', 'must_support']) {
    const given = said[field] ?? [];
    const names = isList(given) ? given : [given];
    const unknown = names.filter((name) => typeof name !== 'string' || !supported.includes(name));
    if (unknown.length > 0) {
      const list = atMost(5, unknown.map(shown)).join(', ');
      throw refused(
        `The vCon may only be processed by those who know the extension ${list} (${field}), which is not known here: ` +
          `give a vCon without it.`,
      );
    }
  }
}

function uuidOf(said: JsonObject): string | undefined {
  const { uuid } = said;
  if (!isGiven(uuid)) return undefined;
  const key = typeof uuid === 'string' ? asUuid(uuid) : undefined;
  if (key !== undefined) return key;
  throw refused(
    `uuid is ${shown(uuid)}, which is no UUID: write it as in 123e4567-e89b-12d3-a456-426614174000, or leave it out.`,
  );
}

function problemsOf(input: JsonObject, form: Form, said: JsonObject): Problem[] {
  const path = form === 'signed' ? ['payload'] : [];
  const problems: Problem[] = [];
  if (form !== 'unsigned' && isFlattened(input)) {
    problems.push({ path: [], text: `flattened JSON form, read like the general one of a ${form} vCon` });
  }
  if (!isGiven(said['uuid']))
    problems.push({ path: [...path, 'uuid'], text: 'missing, so one was made from the content' });
  if (!isGiven(said['created_at'])) {
    problems.push({ path: [...path, 'created_at'], text: 'missing, so the time of import counts' });
  } else if (momentOf(said['created_at']) === undefined) {
    problems.push({ path: [...path, 'created_at'], text: 'is not a time, so the time of import counts' });
  }
  // Of an encrypted one only the header is known, which is no vCon.
  if (form === 'encrypted') return problems;
  if (form === 'signed' && !payloadOf(input)) return [{ path, text: 'cannot be read as JSON' }, ...problems];
  const faults = [...oldNamesIn(said), ...faultsOf(said), ...danglingReferences(said)];
  return [...problems, ...faults.map((fault) => ({ path: [...path, ...fault.path], text: fault.text }))];
}

function faultsOf(document: JsonObject): Problem[] {
  // Both are missing or unreadable in words of their own.
  const reported = new Set<unknown>([
    'uuid',
    ...(momentOf(document['created_at']) === undefined ? ['created_at'] : []),
  ]);
  const { error } = vconSchema.safeParse(document, { error: plainly });
  return (error?.issues ?? []).flatMap(({ path, message }) => {
    if ((path.length === 1 && reported.has(path[0])) || isPlaceholder(document, path)) return [];
    return [{ path: path.map((step) => (typeof step === 'number' ? step : String(step))), text: message }];
  });
}

/** An empty entry keeps the place of one that was removed. */
function isPlaceholder(document: JsonObject, [name, index]: readonly PropertyKey[]): boolean {
  const list = typeof name === 'string' ? document[name] : undefined;
  const entry = isList(list) && typeof index === 'number' ? list[index] : undefined;
  return isObject(entry) && Object.keys(entry).length === 0;
}

function plainly(issue: { code?: string; expected?: unknown; input?: unknown }): string | undefined {
  if (issue.code !== 'invalid_type') return undefined;
  if (issue.input === undefined) return 'missing';
  if (issue.input === null) return 'is null, so leave it out';
  return `must be ${issue.expected === 'array' ? 'a list' : `of type ${String(issue.expected)}`}`;
}

function strictRefusal(warnings: readonly string[]): LiveError {
  const list = atMost(mostRefusals, warnings).join('; ');
  return refused(`The vCon does not follow the format: ${list}. Correct it, or give it without strict.`);
}

/** The same for the same content, in whatever order its fields were written. */
function canonical(value: Json): string {
  if (isList(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join()}}`;
}

function isGiven(value: Json | undefined): value is Json {
  return value !== undefined && value !== null;
}

function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

function refused(message: string): LiveError {
  return new LiveError('INVALID_PARAMS', message);
}
