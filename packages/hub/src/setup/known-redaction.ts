// Looks up redactions by name before anything starts: with a misspelt name, a caller would see unredacted content.
import type { RedactionRule } from '@tidings/vcon';
import { Failure } from '../terminal/failure.ts';

export type Redactions = Readonly<Record<string, RedactionRule>>;

export async function knownRedaction(name: string | undefined, defined: Redactions = {}): Promise<string | undefined> {
  if (name === undefined) return undefined;
  const { builtinRedactions } = await import('@tidings/vcon');
  const names = Object.keys({ ...builtinRedactions, ...defined });
  if (names.includes(name)) return name;
  throw new Failure(`There is no redaction "${name}". There are: ${names.join(', ')}.`, 2);
}

/** Parses the redactions of a configuration. */
export async function definedRedactions(given: Readonly<Record<string, unknown>> = {}): Promise<Redactions> {
  if (Object.keys(given).length === 0) return {};
  const { redactionSchema } = await import('@tidings/vcon');
  const entries = Object.entries(given).map(([name, rule]) => {
    const { data, error } = redactionSchema.safeParse(rule);
    if (data) return [name, data] as const;
    const problems = error.issues.map(({ path, message }) => [...path, message].join(': ')).join('; ');
    throw new Failure(`redactions.${name}: ${problems}`);
  });
  return Object.fromEntries(entries);
}
