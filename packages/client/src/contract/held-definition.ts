// Definitions of a pinned server that wait for consent, in `GET /api/servers/{id}/definitions`.
import * as z from 'zod/mini';
import { definitionKind } from './event.ts';

export const shownDefinition = z.object({
  kind: definitionKind,
  name: z.string(),
  /** The paths that changed, such as `description`, or `new`. */
  changes: z.readonly(z.array(z.string())),
  /** The hash of the definition shown, which a person agrees to. */
  hash: z.string(),
  /** Lines that begin with `+`, `-` or a space; `…` replaces unchanged lines. */
  diff: z.string(),
  /** How many characters of the difference are left out. */
  cut: z.number(),
});
export type ShownDefinition = z.infer<typeof shownDefinition>;

export const definitionsAnswer = z.object({
  pinned: z.boolean(),
  /** How many are held back; `held` has the first 100. */
  total: z.number(),
  held: z.array(shownDefinition),
});
export type DefinitionsAnswer = z.infer<typeof definitionsAnswer>;
