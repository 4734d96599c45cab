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

export function issueInWords({ path = [], message }: Issue): string {
  const keys = path.map((part) => String(typeof part === 'object' ? part.key : part));
  const field = keys.join('.');
  if (field !== '' && absent.test(message)) return `"${field}" is missing`;
  return field === '' || namesField(message, keys) ? message : `${field}: ${message}`;
}

/** ArkType's messages begin with the field: `list[0].name must be …`, `value at ["a b"] must be …`. */
function namesField(message: string, [first = '']: readonly string[]): boolean {
  if (message.startsWith('value at [')) return true;
  return message.startsWith(first) && /^[ .[]/.test(message.slice(first.length));
}
