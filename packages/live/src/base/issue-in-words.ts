// What a validator says about one value, for the client that sent it.

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** How Zod, Valibot and ArkType end what they say about a field that is absent. */
const absent = /received undefined$|\(was missing\)$/;

export function issueInWords({ path = [], message }: Issue): string {
  const field = path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
  if (field !== '' && absent.test(message)) return `"${field}" is missing`;
  // ArkType names the field itself.
  return field === '' || message.startsWith(`${field} `) ? message : `${field}: ${message}`;
}
