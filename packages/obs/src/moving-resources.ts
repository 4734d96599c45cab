// Resources that change continuously: images, levels and statistics. They are not listed, so that a client that follows
// the whole list does not make OBS send them; OBS sends them only while they are read or watched.
import { type Clock, type LiveServer, LiveError, content } from '@tidings/live';
import { issueInWords } from '@tidings/live/internal';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { containersOf } from './model/studio.ts';
import { uriOf } from './model/uri.ts';
import { Meters } from './source/meters.ts';
import type { Obs } from './source/obs.ts';
import { Sampler } from './source/sampler.ts';
import { type Image, type Shot, takeShot } from './source/screenshots.ts';
import { readStats } from './stats.ts';

const side = z.coerce.number().int().min(8).max(4096);
const shot = z.object({
  source: z.string(),
  width: side.default(640),
  height: side.optional(),
  format: z.enum(['png', 'jpg']).default('jpg'),
});
const figures = z.object({ every: z.coerce.number().min(1).max(60).default(2) });

export function addMovingResources(server: LiveServer, obs: Obs, clock: Clock): void {
  addScreenshots(server, obs, clock);
  addMeters(server, obs, clock);
  addStats(server, obs, clock);
}

function addScreenshots(server: LiveServer, obs: Obs, clock: Clock): void {
  const shots = new Sampler<Shot, Image>({
    clock,
    everyMs: () => 1000,
    take: (wanted) => takeShot(obs, wanted),
    isSame: (a, b) => a.data === b.data,
    changed: (uri) => server.announce(uri),
  });
  const template = 'obs://screenshot/{source}{?width,height,format}';
  const route = server.resource(template, {
    title: 'How a scene or source looks',
    description: 'An image, as jpg or png. While watched, it is taken once a second, and announced if it differs.',
    _meta: { 'tidings/type': 'obs-screenshot' },
    read: async (params) => {
      const { mimeType, data } = await shots.read(route.uri(params), parsed(shot, params));
      return content(Buffer.from(data, 'base64'), { mimeType });
    },
    complete: {
      source: (prefix) =>
        [...containersOf(obs.lastKnown), ...obs.lastKnown.inputs.keys()].filter((name) => name.startsWith(prefix)),
    },
    watch: (params, canonical) => shots.watch(canonical, parsed(shot, params)),
  });
  server.onClose(() => shots.close());
}

function addMeters(server: LiveServer, obs: Obs, clock: Clock): void {
  const changed = (input: string) => server.announce(uriOf.meters(input));
  const meters = new Meters(obs, { clock, windowMs: 1000, changed });
  server.resource('obs://meters/{input}', {
    title: 'How loud an input is',
    description: 'Peak and magnitude in decibels, over the last second. Announced once a second while it changes.',
    mimeType: 'application/json',
    _meta: { 'tidings/type': 'obs-meters' },
    read: async ({ input }) => {
      await obs.begun();
      if (!obs.studio.inputs.get(input)?.audio) {
        throw new LiveError('RESOURCE_NOT_FOUND', `OBS has no audio input "${input}".`);
      }
      return meters.read(input);
    },
    complete: {
      input: (prefix) =>
        [...obs.lastKnown.inputs].flatMap(([name, { audio }]) => (audio && name.startsWith(prefix) ? [name] : [])),
    },
    watch: ({ input }) => meters.watch(input),
  });
  server.onClose(() => meters.close());
}

function addStats(server: LiveServer, obs: Obs, clock: Clock): void {
  const stats = new Sampler<z.infer<typeof figures>, Awaited<ReturnType<typeof readStats>>>({
    clock,
    everyMs: ({ every }) => every * 1000,
    take: () => readStats(obs),
    isSame: isDeepStrictEqual,
    changed: (uri) => server.announce(uri),
  });
  const route = server.resource('obs://stats{?every}', {
    title: 'How OBS is doing',
    description:
      'Frames per second, dropped frames, CPU, memory, disk, and how long the stream and the recording have been running. While watched, every 2 seconds, or as `every` says.',
    mimeType: 'application/json',
    _meta: { 'tidings/type': 'obs-stats' },
    read: (params): Promise<unknown> => stats.read(route.uri(params), parsed(figures, params)),
    watch: (params, canonical) => stats.watch(canonical, parsed(figures, params)),
  });
  server.onClose(() => stats.close());
}

function parsed<T>(form: z.ZodType<T>, params: object): T {
  const given = Object.entries(params).filter(([, value]) => value !== undefined && value !== '');
  const { data, error } = form.safeParse(Object.fromEntries(given));
  if (data !== undefined) return data;
  const [issue] = error?.issues ?? [];
  throw new LiveError('INVALID_PARAMS', `${issue ? issueInWords(issue) : 'query: is not valid'}.`);
}
