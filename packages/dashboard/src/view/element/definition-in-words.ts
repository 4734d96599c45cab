// The name of a definition on the page.
import type { ShownDefinition } from '@tidings/client/contract';
import { visibleName } from './visible-name.ts';

type Kind = ShownDefinition['kind'];

const singles: Partial<Record<Kind, string>> = {
  instructions: 'its instructions',
  server: 'what the server calls itself',
};

/** Whether a server has only one of this kind, so that a name is not needed. */
export function isSingle(kind: Kind): boolean {
  return singles[kind] !== undefined;
}

export function definitionInWords({ kind, name }: Pick<ShownDefinition, 'kind' | 'name'>): string {
  return singles[kind] ?? `${kind} ${visibleName(name)}`;
}
