// What a server shows to models and people: tools, prompts, instructions, and its own name, title and icons. Each is
// stored as JSON with sorted keys, so that two definitions are equal if their texts are.
import { createHash } from 'node:crypto';
import { isObject } from '@tidings/live/portable';

/** `server`: its name, title, description and icons. */
export type DefinitionKind = 'tool' | 'prompt' | 'instructions' | 'server';

/** The names of definitions that a server has only one of. */
export const instructionsName = 'instructions';
export const selfName = 'server';

export interface DefinitionName {
  readonly kind: DefinitionKind;
  readonly name: string;
}

export function definitionText(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (isObject(each) ? inOrder(each) : each)) ?? 'null';
}

/** The hash of a definition, so that a person agrees to exactly what was shown. */
export function definitionHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function inOrder(value: Record<string, unknown>): Record<string, unknown> {
  // Not by assignment, which would lose a key named __proto__.
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
