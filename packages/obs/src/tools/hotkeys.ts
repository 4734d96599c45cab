// Tools for hotkeys: functions of OBS and its plugins that have no requests of their own.
import { type LiveServer, LiveError } from '@tidings/live';
import { noArguments, toolArguments } from '@tidings/live/internal';
import { z } from 'zod';
import type { Obs } from '../source/obs.ts';
import { answer, changed } from './answer.ts';

const list = z.object({ hotkeys: z.array(z.string()) });

export function addHotkeyTools(server: LiveServer, obs: Obs): void {
  server.tool(
    'list_hotkeys',
    {
      title: 'List hotkeys',
      description: 'The names of all hotkeys, whether or not keys are assigned to them.',
      input: noArguments,
      output: changed,
      annotations: { readOnlyHint: true },
    },
    async () => {
      const { hotkeys } = list.parse(await obs.call('GetHotkeyList'));
      return answer([], { hotkeys: [...new Set(hotkeys)] });
    },
  );

  server.tool(
    'trigger_hotkey',
    {
      title: 'Trigger a hotkey',
      description:
        'By its name (see list_hotkeys), or by its keys. Where several sources have a hotkey of that name, context says which one.',
      input: toolArguments({
        hotkey: z.string().optional().describe('Such as "OBSBasic.Screenshot".'),
        context: z.string().optional().describe('The source or scene it belongs to. Needs OBS 30.2 or newer.'),
        key: z.string().optional().describe('Such as "OBS_KEY_F5".'),
        modifiers: z.array(z.enum(['shift', 'control', 'alt', 'command'])).default([]),
      }),
      output: changed,
    },
    async ({ hotkey, context, key, modifiers }) => {
      if ((hotkey === undefined) === (key === undefined)) {
        throw new LiveError('INVALID_PARAMS', 'Give exactly one of hotkey and key.');
      }
      if (hotkey !== undefined) {
        await obs.call('TriggerHotkeyByName', { hotkeyName: hotkey, ...(context && { contextName: context }) });
        return answer([], { triggered: hotkey });
      }
      const has = (modifier: (typeof modifiers)[number]) => modifiers.includes(modifier);
      const keyModifiers = { shift: has('shift'), control: has('control'), alt: has('alt'), command: has('command') };
      await obs.call('TriggerHotkeyByKeySequence', { keyId: key ?? '', keyModifiers });
      return answer([], { triggered: [...modifiers, key].join(' ') });
    },
  );
}
