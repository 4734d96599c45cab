// Which tools of a server are offered, according to its entry in the configuration.
import type { ServerEntry } from '@tidings/track';
import { namePatterns } from './pattern/name-patterns.ts';

/** Without `include`, all tools are offered except those in `exclude`. */
export function isChosen({ tools = {} }: ServerEntry, name: string): boolean {
  const { include, exclude = [] } = tools;
  const isIn = (texts: readonly string[]) => namePatterns(texts).some(({ pattern }) => pattern.test(name));
  return (include === undefined || isIn(include)) && !isIn(exclude);
}
