// Names similar to a mistyped one, the most similar first.
import { bySimilarity } from '@tidings/live/internal';

const most = 3;

export function closest(typed: string, names: readonly string[]): string[] {
  const wanted = typed.toLowerCase();
  // Beyond this it is a different name rather than a mistyped one.
  const limit = Math.max(2, Math.floor(typed.length * 0.3));
  return bySimilarity(typed, names)
    .filter(({ name, distance }) => distance <= limit || (wanted.length > 2 && name.toLowerCase().includes(wanted)))
    .slice(0, most)
    .map(({ name }) => name);
}
