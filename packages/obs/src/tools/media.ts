// Tools for inputs that play media: videos, music, slide shows.
import { type LiveServer, LiveError } from '@tidings/live';
import { toolArguments } from '@tidings/live/internal';
import { z } from 'zod';
import { readMedia } from '../media.ts';
import { uriOf } from '../model/uri.ts';
import type { Obs } from '../source/obs.ts';
import { answer, changed } from './answer.ts';

const named = toolArguments({ input: z.string().describe('The name of a media input.') });
const prefix = 'OBS_WEBSOCKET_MEDIA_INPUT_ACTION_';

const actions = [
  { tool: 'play_media', action: 'PLAY', title: 'Play a media input', description: 'Plays, or resumes after a pause.' },
  { tool: 'pause_media', action: 'PAUSE', title: 'Pause a media input', description: 'Pauses where it is.' },
  { tool: 'restart_media', action: 'RESTART', title: 'Restart a media input', description: 'Plays from the start.' },
  {
    tool: 'stop_media',
    action: 'STOP',
    title: 'Stop a media input',
    description: 'Stops; it begins again at its start.',
  },
  { tool: 'next_media', action: 'NEXT', title: 'Next of a playlist', description: 'For playlists and slide shows.' },
  {
    tool: 'previous_media',
    action: 'PREVIOUS',
    title: 'Previous of a playlist',
    description: 'For playlists and slide shows.',
  },
] as const;

export function addMediaTools(server: LiveServer, obs: Obs): void {
  for (const { tool, action, title, description } of actions) {
    server.tool(tool, { title, description, input: named, output: changed }, async ({ input }) => {
      await mustPlay(obs, input);
      await obs.call('TriggerMediaInputAction', { inputName: input, mediaAction: prefix + action });
      return afterwards(obs, input);
    });
  }

  server.tool(
    'seek_media',
    {
      title: 'Go to a position of a media input',
      description: 'Give exactly one of position_ms and offset_ms. It has to be playing or paused.',
      input: named.extend({
        position_ms: z.int().min(0).optional().describe('From its start.'),
        offset_ms: z.int().optional().describe('From where it is; negative goes back.'),
      }),
      output: changed,
    },
    async ({ input, position_ms, offset_ms }) => {
      if ((position_ms === undefined) === (offset_ms === undefined)) {
        throw new LiveError('INVALID_PARAMS', 'Give exactly one of position_ms and offset_ms.');
      }
      await mustPlay(obs, input);
      if (position_ms !== undefined)
        await obs.call('SetMediaInputCursor', { inputName: input, mediaCursor: position_ms });
      else await obs.call('OffsetMediaInputCursor', { inputName: input, mediaCursorOffset: offset_ms ?? 0 });
      // OBS sends no event for a change of the position.
      server.announce(uriOf.media(input));
      return afterwards(obs, input);
    },
  );

  server.tool(
    'get_media',
    {
      title: 'Where a media input is',
      description: 'Whether it plays, its position and its duration.',
      input: named,
      output: changed,
      annotations: { readOnlyHint: true },
    },
    async ({ input }) => {
      await mustPlay(obs, input);
      return afterwards(obs, input);
    },
  );
}

/** OBS accepts actions for inputs that play no media, without effect. */
async function mustPlay(obs: Obs, input: string): Promise<void> {
  if (!obs.studio.inputs.has(input)) throw new LiveError('RESOURCE_NOT_FOUND', `OBS has no input "${input}".`);
  await obs.refresh({ of: 'input', name: input });
  if (obs.studio.inputs.get(input)?.mediaState) return;
  throw new LiveError('INVALID_PARAMS', `Input "${input}" is not a media input, or has no file.`);
}

async function afterwards(obs: Obs, input: string) {
  await obs.refresh({ of: 'input', name: input });
  return answer([uriOf.media(input)], { ...(await readMedia(obs, input)) });
}
