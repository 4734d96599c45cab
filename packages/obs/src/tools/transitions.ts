// Tools for transitions between scenes.
import type { LiveServer } from '@tidings/live';
import { noArguments, toolArguments } from '@tidings/live/internal';
import { z } from 'zod';
import { liveContent } from '../model/contents.ts';
import type { Transition } from '../model/studio.ts';
import { statusUri, uriOf } from '../model/uri.ts';
import type { Obs } from '../source/obs.ts';
import { answer, changed } from './answer.ts';

const durationMs = z.int().min(50).max(20_000);

export function addTransitionTools(server: LiveServer, obs: Obs): void {
  server.tool(
    'set_current_transition',
    {
      title: 'Choose the transition',
      description: 'obs://status has the names.',
      input: toolArguments({
        transition: z.string().describe('Such as "Cut" or "Fade".'),
        duration_ms: durationMs.optional(),
      }),
      output: changed,
      annotations: { idempotentHint: true },
    },
    async ({ transition, duration_ms }) => {
      await obs.call('SetCurrentSceneTransition', { transitionName: transition });
      if (duration_ms !== undefined) {
        await obs.call('SetCurrentSceneTransitionDuration', { transitionDuration: duration_ms });
      }
      return afterwards(obs, ({ name, durationMs }) => name === transition && isAsLong(durationMs, duration_ms));
    },
  );

  server.tool(
    'set_transition_duration',
    {
      title: 'Set how long a transition takes',
      description: 'For the current transition, in milliseconds.',
      input: toolArguments({ duration_ms: durationMs }),
      output: changed,
      annotations: { idempotentHint: true },
    },
    async ({ duration_ms }) => {
      await obs.call('SetCurrentSceneTransitionDuration', { transitionDuration: duration_ms });
      return afterwards(obs, ({ durationMs }) => isAsLong(durationMs, duration_ms));
    },
  );

  server.tool(
    'trigger_transition',
    {
      title: 'Put the preview on air',
      description: 'Runs the transition from the program to the preview. Studio mode has to be on.',
      input: noArguments,
      output: changed,
    },
    async () => {
      const { programScene: before, previewScene: wanted, transition } = obs.studio;
      await obs.call('TriggerStudioModeTransition');
      const patienceMs = (transition.durationMs ?? 0) + 3000;
      await obs.settle([{ of: 'scenes' }], ({ programScene }) => programScene === wanted, patienceMs);
      const touched = [before, wanted].filter((scene) => scene !== null);
      return answer([...touched.map(uriOf.scene), statusUri], { programScene: wanted, previousScene: before });
    },
  );
}

/** OBS answers before the change takes effect. */
async function afterwards(obs: Obs, isDone: (transition: Transition) => boolean) {
  await obs.settle([{ of: 'transition' }], ({ transition }) => isDone(transition));
  return answer([statusUri], { transition: liveContent(obs.studio).transition });
}

/** A transition with a fixed duration has none to set. */
function isAsLong(durationMs: number | null, wantedMs: number | undefined): boolean {
  return durationMs === null || wantedMs === undefined || durationMs === wantedMs;
}
