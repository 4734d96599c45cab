// The name of a redaction, checked before anything begins: whoever is to see less must not see everything
// because of a slip of the pen.
import { Failure } from './failure.ts';

export async function knownRedaction(name: string | undefined): Promise<string | undefined> {
  if (name === undefined) return undefined;
  const { builtinRedactions } = await import('@tidings/vcon');
  if (Object.hasOwn(builtinRedactions, name)) return name;
  throw new Failure(`There is no redaction "${name}". There are: ${Object.keys(builtinRedactions).join(', ')}.`, 2);
}
