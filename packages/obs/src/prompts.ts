// Prompts for streamers' common requests. Each includes the state of OBS, so that the model starts with it.
import type { LiveServer } from '@tidings/live';
import { z } from 'zod';
import type { Obs } from './source/obs.ts';
import { readStats } from './stats.ts';
import { readStatus } from './status.ts';

export function addPrompts(server: LiveServer, obs: Obs): void {
  server.prompt(
    'whats_on_air',
    {
      title: 'What is on air',
      description: 'Says what viewers see and hear now, and what is being streamed and recorded.',
    },
    async () =>
      [
        'Tell me what is on air in OBS now: the program scene and which of its sources are visible, which audio inputs are heard and which are muted, and whether OBS is streaming or recording and for how long.',
        'Read the scene on air (obs://scene/{scene}) and the audio inputs (obs://audio-input/{input}); take_screenshot shows the picture. Be brief.',
        await stateOf(obs),
      ].join('\n\n'),
  );

  server.prompt(
    'stream_health_check',
    {
      title: 'Health check before or during a stream',
      description:
        'Looks for what would spoil a stream: dropped frames, load, silent or muted inputs, missing devices.',
    },
    async () =>
      [
        'Check whether this OBS is fit to be live. Look at frames dropped by rendering, encoding and the network, at CPU, memory and free disk space (obs://stats; read it twice, some seconds apart, since only growth matters).',
        'Then for each audio input: is it muted, is its device available (obs://audio-input/{input}), does it have a level (obs://meters/{input}: below -60 dB is silence, a peak at 0 dB clips)? Look at the picture with take_screenshot: a black or frozen source is a fault.',
        'Answer with a list: what is fine, what is wrong, and for each fault what to do. Change nothing without asking me.',
        await stateOf(obs),
      ].join('\n\n'),
  );

  server.prompt(
    'set_up_scene',
    {
      title: 'Set up a scene',
      description: 'Plans a scene with its sources and sets it up step by step.',
      args: z.object({
        scene: z.string().describe('The name of the scene.'),
        purpose: z.string().optional().describe('What it is for, such as "talking head with chat".'),
      }),
      complete: { scene: (prefix) => obs.lastKnown.scenes.filter((name) => name.startsWith(prefix)) },
    },
    async ({ scene, purpose }) =>
      [
        `Set up the OBS scene "${scene}"${purpose ? ` for: ${purpose}` : ''}.`,
        'First look at what there is (list_scenes, list_inputs, list_input_kinds) and use existing inputs where they fit (add_source). Show me a plan of the sources, from front to back, with their positions, and wait for my consent.',
        'Then create what is missing (create_scene, create_input), place it (set_source_transform, set_source_order), set the sound (set_input_volume, set_input_device), and check the result with take_screenshot. Do not put the scene on air: I do that. Offer to save a preset at the end (save_scene_preset).',
        await stateOf(obs),
      ].join('\n\n'),
  );
}

async function stateOf(obs: Obs): Promise<string> {
  const { stats: _figures, ...status } = await readStatus(obs);
  const stats = await readStats(obs).catch(() => null);
  return `The state of OBS now: ${JSON.stringify({ status, stats })}`;
}
