// An image of what a scene or source shows.
import { type LiveServer, toolResult } from '@tidings/live';
import { toolArguments } from '@tidings/live/internal';
import { z } from 'zod';
import { uriOf } from '../model/uri.ts';
import type { Obs } from '../source/obs.ts';
import { takeShot } from '../source/screenshots.ts';
import { placesOf } from './touched.ts';
import { linkTo } from './answer.ts';

const side = z.int().min(8).max(4096);

export function addScreenshotTool(server: LiveServer, obs: Obs): void {
  server.tool(
    'take_screenshot',
    {
      title: 'Look at a scene or source',
      description: 'An image of a scene or source as it looks now. Without a source: what is on air.',
      input: toolArguments({
        source: z.string().optional().describe('A scene or an input.'),
        width: side.default(1280),
        height: side.optional().describe('Without it, the proportions stay as they are.'),
        format: z.enum(['png', 'jpg']).default('png'),
      }),
      annotations: { readOnlyHint: true },
    },
    async ({ source = obs.studio.programScene ?? '', width, height, format }) => {
      const { mimeType, data } = await takeShot(obs, { source, width, height, format });
      const { studio } = obs;
      const resources = studio.scenes.includes(source)
        ? [uriOf.scene(source)]
        : placesOf(studio, source).map((scene) => uriOf.source(scene, source));
      return toolResult({
        content: [{ type: 'image', data, mimeType }, ...resources.map(linkTo)],
        structuredContent: { success: true, source, mimeType, width, resources },
      });
    },
  );
}
