// Finds the item a tool is called for.
import { LiveError } from '@tidings/live';
import { toolArguments } from '@tidings/live/internal';
import { z } from 'zod';
import type { Item, Studio } from '../model/studio.ts';

/** How tools name a source in a scene. */
export const address = toolArguments({
  scene: z.string().describe('The scene, or the group, the source is in.'),
  source: z.string(),
  scene_item_id: z.int().optional().describe('Which one, where the scene has that source more than once.'),
});

export function findItem(studio: Studio, { scene, source, scene_item_id }: z.infer<typeof address>): Item {
  const all = studio.items.get(scene);
  if (all === undefined) throw new LiveError('RESOURCE_NOT_FOUND', `OBS has no scene "${scene}".`);
  const items = all.filter((item) => item.source === source);
  const chosen = scene_item_id === undefined ? items : items.filter(({ id }) => id === scene_item_id);
  const [item, another] = chosen;
  if (item === undefined) {
    const which = scene_item_id === undefined ? '' : ` with the id ${scene_item_id}`;
    throw new LiveError('RESOURCE_NOT_FOUND', `Scene "${scene}" has no source "${source}"${which}.`);
  }
  if (another !== undefined) {
    const ids = items.map(({ id, visible }) => `${id} (${visible ? 'visible' : 'hidden'})`).join(', ');
    throw new LiveError(
      'INVALID_PARAMS',
      `Scene "${scene}" has "${source}" more than once. Give scene_item_id, one of: ${ids}.`,
    );
  }
  return item;
}
