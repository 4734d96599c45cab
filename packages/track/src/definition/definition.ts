// What a server tells models about itself: its tools, its prompts and its instructions. Each is kept as JSON with
// its keys in order, so that two definitions are the same where their texts are.
import { createHash } from 'node:crypto';

export type DefinitionKind = 'tool' | 'prompt' | 'instructions';

/** A server has one text of instructions: this is its name. */
export const instructionsName = 'instructions';

export interface DefinitionName {
  readonly kind: DefinitionKind;
  readonly name: string;
}

export function definitionText(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (isPlainObject(each) ? inOrder(each) : each)) ?? 'null';
}

/** Stands for a definition, so that a person agrees to what was shown and to nothing that came after. */
export function definitionHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function inOrder(value: Record<string, unknown>): Record<string, unknown> {
  // Not by assignment, which would lose a key named __proto__.
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
