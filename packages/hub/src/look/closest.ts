// Names similar to a mistyped one, the most similar first.
import { editDistance } from '@tidings/live/internal';

const most = 3;

export function closest(typed: string, names: readonly string[]): string[] {
  const wanted = typed.toLowerCase();
  // Beyond this it is a different name rather than a mistyped one.
  const limit = Math.max(2, Math.floor(typed.length * 0.3));
  return names
    .map((name) => ({ name, distance: editDistance(wanted, name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= limit || (wanted.length > 2 && name.toLowerCase().includes(wanted)))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, most)
    .map(({ name }) => name);
}
