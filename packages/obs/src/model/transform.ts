// The transform of an item in its scene, as OBS reports it.
import { z } from 'zod';
import type { Transform } from './studio.ts';

/** These depend on the source, not on its settings, and change when it is first shown. */
const derived = new Set(['width', 'height', 'sourceWidth', 'sourceHeight']);
const transformValue = z.union([z.number(), z.string(), z.boolean()]);

export function transformFrom(transform: Record<string, unknown>): Transform {
  const entries = Object.entries(transform).flatMap(([name, value]) => {
    const { data } = transformValue.safeParse(value);
    return data === undefined || derived.has(name) ? [] : [[name, data] as const];
  });
  return Object.fromEntries(entries);
}
