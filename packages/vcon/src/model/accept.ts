// Checks every imported document: invalid ones are refused, valid ones are stored unchanged, and deviations from the
// standard become warnings.
import type { LiveError } from '@tidings/live';
import { isDeeperThan } from '@tidings/live/internal';
import { shortened, sortedJson } from '@tidings/live/portable';
import { contentDigest } from './digest.ts';
import { formOf, isFlattened, openHeaderOf, payloadOf, type Form } from './form.ts';
import { isList, isObject, type Json, type JsonObject } from './json.ts';
import { momentOf } from './moment.ts';
import { mostLevels } from './nesting.ts';
import { oldNamesIn } from './old-names.ts';
import { atMost, described, type Problem } from './problem.ts';
import { danglingReferences } from './references.ts';
import { schemaTest } from './schema-test.ts';
import { asUuid, derivedUuid, newUuid } from './uuid.ts';
import { arrayNames, formatVersion, vconSchema } from './vcon.ts';
import { invalidParams } from './invalid-params.ts';

export interface Accepted {
  /** The key, in lower case. */
  readonly uuid: string;
  /** The instant of created_at in microseconds since the epoch. */
  readonly created: number;
  readonly form: Form;
  /** The document to store: the input itself; an unsigned one also gets uuid, created_at and version if it has none. */
  readonly document: JsonObject;
  /** The readable content: the payload of a signed document; empty for an encrypted one. */
  readonly content: JsonObject;
  /**
   * Everything but the four lists. For a signed or encrypted document: its unprotected header, which is not verified.
   */
  readonly head: JsonObject;
  /** Digest of the content as given, if fields were added. */
  readonly givenDigest: string | undefined;
  readonly warnings: string[];
}

export interface AcceptOptions {
  readonly now: Date;
  /** The instant to use if created_at cannot be read: when the document was first stored. Default: now. */
  readonly created?: number;
  /** Whether the document is created here, so that it may lack a uuid and a time. */
  readonly isNew?: boolean;
  /** Refuses documents with warnings. */
  readonly strict?: boolean;
  /** Names of the extensions that may be critical. */
  readonly extensions?: readonly string[];
}

const mostWarnings = 50;
const mostRefusals = 20;

export function accept(input: unknown, options: AcceptOptions): Accepted {
  if (!isObject(input)) throw invalidParams('The vCon is not an object: give one JSON object.');
  if (isDeeperThan(input, mostLevels)) throw tooDeep();
  const form = formOf(input);
  const said = saidBy(input, form);
  if (form === 'unsigned') checkLists(input);
  checkCritical(said, options.extensions ?? []);

  const { now, isNew = false } = options;
  const uuid = uuidOf(said) ?? (isNew ? newUuid(now.getTime()) : derivedUuid(sortedJson(input)));
  const created = momentOf(said['created_at']);
  const added = {
    ...(isGiven(said['uuid']) ? {} : { uuid }),
    ...(isGiven(said['created_at']) ? {} : { created_at: now.toISOString() }),
    // A document with a uuid was made elsewhere, under an unknown version of the format.
    ...(isNew && !isGiven(said['uuid']) && !isGiven(said['vcon']) ? { vcon: formatVersion } : {}),
  };
  const isComplete = Object.keys(added).length === 0;
  const isTimed = created !== undefined || (isNew && !isGiven(said['created_at']));
  const warnings = described(problemsOf(input, form, isNew ? { ...said, ...added } : said, isTimed));
  if (options.strict === true && warnings.length > 0) throw strictRefusal(warnings);
  const document = isComplete || form !== 'unsigned' ? input : { ...input, ...added };
  return {
    uuid,
    created: created ?? options.created ?? now.getTime() * 1000,
    form,
    document,
    content: form === 'unsigned' ? document : form === 'signed' ? said : {},
    head: headOf(isComplete ? said : { ...said, ...added }),
    givenDigest: document === input ? undefined : contentDigest(input),
    warnings: atMost(mostWarnings, warnings),
  };
}

const lists = new Set<string>(arrayNames);

/** A document without its four lists. */
export function headOf(document: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !lists.has(name)));
}

/** The fields of the vCon, as far as they can be read. */
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
    if (!isList(list)) throw invalidParams(`${name} is not a list: give a list of objects, or leave it out.`);
    const index = list.findIndex((entry) => !isObject(entry));
    if (index >= 0) throw invalidParams(`${name}[${index}] is not an object: every entry of ${name} must be one.`);
  }
}

function checkCritical(said: JsonObject, supported: readonly string[]): void {
  for (const field of ['critical', 'must_support']) {
    const given = said[field] ?? [];
    const names = isList(given) ? given : [given];
    const unknown = names.filter((name) => typeof name !== 'string' || !supported.includes(name));
    if (unknown.length > 0) {
      const list = atMost(5, unknown.map(shown)).join(', ');
      throw invalidParams(
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
  throw invalidParams(
    `uuid is ${shown(uuid)}, which is no UUID: write it as in 123e4567-e89b-12d3-a456-426614174000, or leave it out.`,
  );
}

/** `isTimed`: created_at can be read. */
function problemsOf(input: JsonObject, form: Form, said: JsonObject, isTimed: boolean): Problem[] {
  const path = form === 'signed' ? ['payload'] : [];
  const problems: Problem[] = [];
  if (form !== 'unsigned' && isFlattened(input)) {
    problems.push({ path: [], text: `flattened JSON form, read like the general one of a ${form} vCon` });
  }
  if (!isGiven(said['uuid']))
    problems.push({ path: [...path, 'uuid'], text: 'missing, so one was made from the content' });
  if (!isGiven(said['created_at'])) {
    problems.push({ path: [...path, 'created_at'], text: 'missing, so the time of import counts' });
  } else if (!isTimed) {
    problems.push({ path: [...path, 'created_at'], text: 'is not a time, so the time of import counts' });
  }
  // Only the header of an encrypted document is known, which is not a vCon.
  if (form === 'encrypted') return problems;
  if (form === 'signed' && !payloadOf(input)) return [{ path, text: 'cannot be read as JSON' }, ...problems];
  const faults = [...oldNamesIn(said), ...faultsOf(said, isTimed), ...danglingReferences(said)];
  return [...problems, ...faults.map((fault) => ({ path: [...path, ...fault.path], text: fault.text }))];
}

const isFaultless = schemaTest(vconSchema);

function faultsOf(document: JsonObject, isTimed: boolean): Problem[] {
  if (isFaultless(document)) return [];
  const { error } = vconSchema.safeParse(document, { error: plainly });
  if (error === undefined) return [];
  // The uuid and the time have messages of their own.
  const reported = new Set<unknown>(['uuid', ...(isTimed ? [] : ['created_at'])]);
  return error.issues.flatMap(({ path, message }) => {
    if ((path.length === 1 && reported.has(path[0])) || isPlaceholder(document, path)) return [];
    return [{ path: path.map((step) => (typeof step === 'number' ? step : String(step))), text: message }];
  });
}

/** An empty entry marks the index of a removed one. */
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
  return invalidParams(`The vCon does not follow the format: ${list}. Correct it, or give it without strict.`);
}

function isGiven(value: Json | undefined): value is Json {
  return value !== undefined && value !== null;
}

function shown(value: Json): string {
  return shortened(JSON.stringify(value), 80);
}

function tooDeep(): LiveError {
  return invalidParams(`The vCon is nested more than ${mostLevels} levels deep: flatten it.`);
}
