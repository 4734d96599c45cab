// Redacts documents for callers who may not see everything. Every read of a token with a policy goes through here, so
// the rule is: content that cannot be checked is left out, and no field is exempt because of its name alone.
import { isDeepStrictEqual } from 'node:util';
import { LiveError } from '@tidings/live';
import { digestOf, isDeeperThan } from '@tidings/live/internal';
import { shortened } from '@tidings/live/portable';
import { z } from 'zod';
import { headOf, saidBy } from './accept.ts';
import { decodedText, isEncoded, mediaTypeOf, parsedText } from './body.ts';
import { formOf } from './form.ts';
import { isList, isObject, type Json, type JsonObject } from './json.ts';
import { mostLevels } from './nesting.ts';
import { arrayNames, isTags, type ArrayName } from './vcon.ts';
import { isFieldName, isStructure } from './vocabulary.ts';

export const redactionSchema = z.strictObject({
  drop: z
    .array(z.string().min(1))
    .optional()
    .describe('Fields that are left out wherever they occur, such as tel or mailto; upper and lower case are the same'),
  mask: z
    .array(
      z.string().refine((pattern) => problemOf(pattern) === undefined, {
        error: ({ input }) => problemOf(String(input)),
      }),
    )
    .optional()
    .describe(
      'Regular expressions; matches in any text are replaced, ignoring case. They run over every text that ' +
        'is read: write them so that they cannot backtrack for long, with {1,64} rather than +',
    ),
  replacement: z.string().optional().describe('What stands in place of a match; [redacted] if not given'),
});

export type RedactionRule = z.infer<typeof redactionSchema>;

/** Letters also as a base and its marks, and with invisible characters among them. */
const letters = String.raw`\p{L}\p{M}\p{N}\p{Cf}\-`;
const mailName = String.raw`[${letters}._%+]`;
const mailHost = String.raw`[${letters}]{1,63}(?:\.[${letters}]{1,63}){1,8}`;
const at = String.raw`[@\uFF20]`;
const between = String.raw`[\s.\p{Pd}\u2212\p{Cf}]`;

export const builtinRedactions: Record<string, RedactionRule> = {
  'contact-details': {
    // The last four are not in the draft; files have them instead of its fields.
    drop: 'tel mailto sip stir did gmlpos civicaddress validation email phone phone_number address'.split(' '),
    mask: [
      // Only where a name may begin: starting at every character of a long text without an @ would take minutes.
      String.raw`(?<!${mailName})${mailName}+${at}${mailHost}(?:[${letters}._%+@\uFF20]*${at}${mailHost})?`,
      // Digits of any script, with the dashes and invisible characters that editors and copying put among them.
      String.raw`(?:[+\uFF0B]|\b00)\p{Nd}[\p{Nd}\s().\/\p{Pd}\u2212\p{Cf}]{5,20}\p{Nd}`,
      String.raw`(?<!\p{Nd})(?:\(\p{Nd}{3}\)${between}{0,3}|\p{Nd}{3}${between}{1,3})\p{Nd}{3}${between}{1,3}\p{Nd}{4}(?!\p{Nd})`,
    ],
  },
};

/** How many levels of JSON inside strings are parsed. */
const mostLayers = 8;

/** Increase it when a rule redacts differently: derived data is then made again. */
const version = 2;

/** Work with a pause after each step, and its result. */
export type Steps<T> = Generator<undefined, T, undefined>;

export class Redaction {
  /** The same for rules with the same effect. */
  readonly digest: string;
  readonly #drop: ReadonlySet<string>;
  readonly #masks: readonly RegExp[];
  readonly #replacement: string;

  constructor(rule: RedactionRule) {
    this.#drop = new Set((rule.drop ?? []).map(fieldKey));
    this.#masks = (rule.mask ?? []).map(compiled);
    this.#replacement = rule.replacement ?? '[redacted]';
    const terms = JSON.stringify([version, [...this.#drop].sort(), rule.mask ?? [], this.#replacement]);
    this.digest = digestOf(terms);
  }

  /** Of a signed or encrypted document only the head remains: its payload is unredacted. */
  document(document: JsonObject): JsonObject {
    return resultOf(this.documentInSteps(document));
  }

  /** The same in steps of one entry each, with other work in between. */
  *documentInSteps(document: JsonObject): Steps<JsonObject> {
    const form = formOf(document);
    if (form !== 'unsigned') return { ...this.head(headOf(saidBy(document, form))), redacted: { type: 'policy' } };
    const lists = arrayNames.flatMap((name) => {
      const items = document[name] ?? null;
      return isList(items) ? [{ name, items }] : [];
    });
    const emptied = Object.fromEntries(lists.map(({ name }) => [name, []]));
    const rest = this.#top({ ...document, ...emptied });
    const redacted: Record<string, Json> = {};
    for (const { name, items } of lists) {
      if (Object.hasOwn(rest, name)) redacted[name] = yield* this.#items(items, name);
    }
    return { ...rest, ...redacted };
  }

  head(head: JsonObject): JsonObject {
    return this.#top(head);
  }

  /** A dropped list is empty, so that lookups in it find nothing. */
  part(name: ArrayName, value: Json): Json {
    return resultOf(this.partInSteps(name, value));
  }

  /** The same in steps of one entry each. */
  *partInSteps(name: ArrayName, value: Json): Steps<Json> {
    if (this.#drop.has(name)) return [];
    return isList(value) ? yield* this.#items(value, undefined) : this.value(value);
  }

  value(value: Json): Json {
    return this.#value(value, undefined, 0);
  }

  text(text: string): string {
    return this.#masks.reduce(
      // An empty match, as of \b, does not count.
      (masked, mask) => masked.replaceAll(mask, (match) => (match === '' ? '' : this.#replacement)),
      text,
    );
  }

  /** The fields that identify a document stay, even if the policy drops them. */
  #top(document: JsonObject): JsonObject {
    return this.#object(document, 0, new Set(['uuid', 'created_at']));
  }

  *#items(items: readonly Json[], field: string | undefined): Steps<Json[]> {
    const redacted: Json[] = [];
    for (const item of items) {
      redacted.push(this.#value(item, field, 0));
      yield;
    }
    return redacted;
  }

  #value(value: Json, field: string | undefined, layer: number): Json {
    if (isList(value)) return value.map((item) => this.#value(item, field, layer));
    if (isObject(value)) return this.#object(value, layer);
    if (isStructure(field, value)) return value;
    if (typeof value === 'string') return this.#string(value, layer);
    if (typeof value !== 'number') return value;
    const digits = String(value);
    return this.text(digits) === digits ? value : this.#replacement;
  }

  #object(object: JsonObject, layer: number, stays: ReadonlySet<string> = new Set()): JsonObject {
    const kept = Object.entries(object).filter(([name]) => stays.has(name) || !this.#drop.has(fieldKey(name)));
    const masked = (entries: readonly [string, Json][]) =>
      Object.fromEntries(entries.map(([name, value]) => [this.#key(name), this.#value(value, name, layer)]));
    if (!Object.hasOwn(object, 'body') || this.#drop.has('body')) {
      const isWhole = ['body', 'url'].every((field) => !Object.hasOwn(object, field) || !this.#drop.has(field));
      return masked(isWhole ? kept : withoutHashes(kept));
    }
    const body = this.#body(object, layer);
    const others = kept.filter(([name]) => name !== 'body');
    const rest = masked(isDeepStrictEqual(body, object['body']) ? others : withoutHashes(others));
    return body === undefined ? { ...rest, redacted: true } : { ...rest, body };
  }

  /** The body of an entry, or nothing if it cannot be checked: the entry then says `"redacted": true`. */
  #body(entry: JsonObject, layer: number): Json | undefined {
    const isTagged = isTags(entry);
    const given = entry['body'] ?? null;
    const body = isTagged ? this.#tags(given) : given;
    if (typeof body !== 'string') return this.#value(body, undefined, layer);
    if (!isEncoded(entry)) return this.#isOpaque(entry, body) ? undefined : this.#string(body, layer);
    // Without masks only JSON is changed, which may have any media type.
    const isAnyType = isTagged || this.#masks.length === 0;
    const text = decodedText(isAnyType ? { ...entry, mediatype: 'application/json' } : entry);
    if (text === undefined || text.includes('\0')) return this.#masks.length > 0 ? undefined : body;
    const masked = this.#string(isTagged ? this.#tags(text) : text, layer);
    return masked === text ? body : Buffer.from(masked).toString('base64url');
  }

  /** Unknown encodings, sound and pictures without one, and mails with parts that are encoded once more. */
  #isOpaque(entry: JsonObject, body: string): boolean {
    if (this.#masks.length === 0) return false;
    const encoding = entry['encoding'] ?? 'none';
    if (encoding !== 'none' && encoding !== 'json') return true;
    const mediaType = mediaTypeOf(entry);
    if (/^(?:audio\/|video\/|image\/|application\/(?:pdf|zip))/.test(mediaType)) return true;
    // Old files leave the encoding out where the body is encoded.
    const isSaid = Boolean(entry['mediatype'] ?? entry['mimetype']);
    const isGuess = (entry['encoding'] ?? null) === null;
    if (isSaid && isGuess && !/^(?:text|message|multipart)\/|[/+](?:json|xml)(?:;|$)/.test(mediaType)) return true;
    return (
      /^(?:multipart|message)\//.test(mediaType) &&
      /content-transfer-encoding:\s*(?:base64|quoted-printable)/i.test(body)
    );
  }

  /** `tel:+1…` in a list of tags is a field of that name. */
  #tags(body: string): string;
  #tags(body: Json): Json;
  #tags(body: Json): Json {
    const content = typeof body === 'string' ? parsedText(body) : body;
    if (!isList(content)) return body;
    const kept = content.filter((tag) => typeof tag !== 'string' || !this.#drop.has(fieldKey(tag.split(':')[0] ?? '')));
    if (kept.length === content.length) return body;
    return typeof body === 'string' ? JSON.stringify(kept) : kept;
  }

  /** Text that is JSON itself is masked inside, and stays JSON. */
  #string(text: string, layer: number): string {
    const content = parsedText(text);
    if (content === undefined) return this.#escaped(text);
    if (layer === mostLayers || isDeeperThan(content, mostLevels)) return this.#replacement;
    const masked = this.text(text);
    const before = JSON.stringify(content);
    const after = JSON.stringify(this.#value(content, undefined, layer + 1));
    // If the text matches and its parsed content does not, parsing dropped something, such as a repeated field.
    return after === before && masked === text ? text : after;
  }

  /** Leaves out the whole text if escapes (of a URL, of HTML, of truncated JSON) hide a match. */
  #escaped(text: string): string {
    const masked = this.text(text);
    // Base64 in a data: URL cannot be checked.
    if (this.#masks.length > 0 && /data:[^,\s]{0,200};base64,/i.test(text)) return this.#replacement;
    const unescaped = masked
      .replaceAll(/\\u([\da-f]{4})|%([\da-f]{2})|&#x([\da-f]{1,4});/gi, (_, unit, byte, entity) =>
        String.fromCharCode(Number.parseInt(unit ?? byte ?? entity, 16)),
      )
      .replaceAll(/&#(\d{1,5});/g, (_, entity) => String.fromCharCode(Number(entity)));
    return this.text(unescaped) === unescaped ? masked : this.#replacement;
  }

  #key(name: string): string {
    return isFieldName(name) ? name : this.#escaped(name);
  }
}

function resultOf<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The hash of a content; older files write two fields. */
const hashFields = new Set(['content_hash', 'alg', 'signature']);

/** Removes the hash of hidden content: with it, a guess at the content could be confirmed. */
function withoutHashes(fields: readonly [string, Json][]): [string, Json][] {
  return fields.filter(([name]) => !hashFields.has(fieldKey(name)));
}

function fieldKey(name: string): string {
  return name.trim().toLowerCase();
}

function compiled(pattern: string): RegExp {
  const problem = problemOf(pattern);
  if (problem !== undefined) throw new LiveError('INVALID_PARAMS', `mask: ${problem}.`);
  return parsedPattern(pattern);
}

function problemOf(pattern: string): string | undefined {
  const name = JSON.stringify(shortened(pattern, 80));
  try {
    if (parsedPattern(pattern).test('')) return `${name} matches an empty text: let it match at least one character`;
    return undefined;
  } catch {
    return `${name} is not a regular expression: correct it`;
  }
}

/** In Unicode mode if the pattern is valid there; many patterns are valid only without it. */
function parsedPattern(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'giu');
  } catch {
    return new RegExp(pattern, 'gi');
  }
}
