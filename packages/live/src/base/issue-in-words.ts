// What a validator says about one value, for the client that sent it.

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/**
 * How Zod, Valibot and ArkType end what they say about a field that is absent. ArkType describes what each member of a
 * union lacks in one message, with several such notes: there, the field itself is present.
 */
const absent = /received undefined$|^[^(]*\(was missing\)$/;

/** The limits of a date are milliseconds here, which must not be taken for a number's. */
const limit = /^Too (?:small|big): expected (?!date )\w+ to (?:be|have) ([<>]=?)(-?\d[\d.]*)(?: (characters|items))?$/;
const bounds = new Map<string | undefined, string>([
  ['>=', 'at least'],
  ['>', 'more than'],
  ['<=', 'at most'],
  ['<', 'less than'],
]);
const wrongType = /^Invalid input: expected (\w+), received \w+$/;
const typeNames = new Map([
  ['int', 'a whole number'],
  ['record', 'an object'],
  ['null', 'null'],
  ['NaN', 'NaN'],
  ['never', 'absent'],
  ['undefined', 'absent'],
  ['void', 'absent'],
]);
const wrongOption = /^Invalid option: expected one of (".+")$/;

export function issueInWords({ path = [], message }: Issue): string {
  const keys = path.map((part) => String(typeof part === 'object' ? part.key : part));
  const field = keys.join('.');
  if (field !== '' && absent.test(message)) return `"${field}" is missing`;
  const words = inPlainWords(message);
  return field === '' || namesField(message, keys) ? words : `${field}: ${words}`;
}

/** Zod's own messages have symbols and the names of its types; those that a schema gives are kept. */
function inPlainWords(message: string): string {
  const [, comparison, bound, unit] = limit.exec(message) ?? [];
  const words = bounds.get(comparison);
  if (words !== undefined && bound !== undefined) {
    if (unit === undefined) return `must be ${words} ${bound}`;
    return `must have ${words} ${bound} ${bound === '1' ? unit.replace(/s$/, '') : unit}`;
  }
  const [, type] = wrongType.exec(message) ?? [];
  if (type !== undefined) return `must be ${typeNames.get(type) ?? `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`}`;
  const [, options] = wrongOption.exec(message) ?? [];
  return options === undefined ? message : `must be one of ${options.replaceAll('"|"', '", "')}`;
}

/** ArkType's messages begin with the field: `list[0].name must be …`, `value at ["a b"] must be …`. */
function namesField(message: string, [first = '', ...others]: readonly string[]): boolean {
  if (message.startsWith('value at [')) return true;
  const next = others.length === 0 ? /^[ .[]/ : /^[.[]/;
  return message.startsWith(first) && next.test(message.slice(first.length));
}
