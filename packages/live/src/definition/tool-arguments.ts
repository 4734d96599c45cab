// The arguments of a tool. One that is not known is refused: otherwise a misspelt argument would have no effect, and the
// answer would not say so.
import { z } from 'zod';
import { suggestion } from '../check-options.ts';

/** As `z.object`. What is made of it with `extend` refuses what is unknown too. */
export function toolArguments<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape, { error: unknownArguments });
}

const unknownArguments: z.core.$ZodErrorMap = ({ code, keys, inst }) => {
  if (code !== 'unrecognized_keys' || !Array.isArray(keys)) return undefined;
  const names = inst instanceof z.ZodObject ? Object.keys(inst.shape) : [];
  return keys.map((key: string) => `There is no argument "${key}": ${adviceFor(key, names)}`).join(' ');
};

function adviceFor(key: string, names: readonly string[]): string {
  return names.length === 0 ? 'this tool takes none.' : suggestion(key, names);
}

export const noArguments = toolArguments({});
