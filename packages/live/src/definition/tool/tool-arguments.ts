// The arguments of a tool. Unknown arguments are refused: a misspelt one would otherwise be ignored silently.
import { z } from 'zod';
import { suggestion } from '../../base/check-options.ts';

/** Like `z.object`. Schemas made from it with `extend` refuse unknown keys too. */
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
