// What a server shows to models and people: tools, prompts, instructions, and its own name, title and icons. Each is
// stored as JSON with sorted keys, so that two definitions are equal if their texts are.
import { digestOf } from '@tidings/live/internal';

/** `server`: its name, title, description and icons. */
export type DefinitionKind = 'tool' | 'prompt' | 'instructions' | 'server';

/** The names of definitions that a server has only one of. */
export const instructionsName = 'instructions';
export const selfName = 'server';

export interface DefinitionName {
  readonly kind: DefinitionKind;
  readonly name: string;
}

/** The hash of a definition, so that a person agrees to exactly what was shown. */
export function definitionHash(text: string): string {
  return digestOf(text);
}
