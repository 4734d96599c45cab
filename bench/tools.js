// Thirty tools, as a larger server has. Their schemas are built once, as usual.
import { z } from 'zod';

export const tools = Array.from({ length: 30 }, (_, index) => ({
  name: `tool_${index}`,
  description: `Does thing number ${index}.`,
  input: z.object({ city: z.string(), celsius: z.number().optional(), note: z.string().max(200).optional() }),
}));
