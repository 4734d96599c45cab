// The arguments of a tool. One that is not known is refused: otherwise a misspelt argument would have no effect, and the
// answer would not say so.
import { suggestion } from '@tidings/live/internal';
import { z } from 'zod';

export function input<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  const names = Object.keys(shape);
  const error: z.core.$ZodErrorMap = ({ code, keys }) =>
    code === 'unrecognized_keys' && Array.isArray(keys)
      ? keys.map((key: string) => `There is no argument "${key}": ${suggestion(key, names)}`).join(' ')
      : undefined;
  return z.strictObject(shape, { error });
}
