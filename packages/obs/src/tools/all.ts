// All tools of the OBS server, by purpose.
import type { Clock, LiveServer } from '@tidings/live';
import type { Obs } from '../source/obs.ts';
import { addCollectionTools } from './collections.ts';
import { addConnectionTools } from './connection.ts';
import { addFilterTools } from './filters.ts';
import { addHotkeyTools } from './hotkeys.ts';
import { addInputTools } from './inputs.ts';
import { addMediaTools } from './media.ts';
import { addOutputTools } from './outputs.ts';
import { addPresetTools } from './presets.ts';
import { addSceneTools } from './scenes.ts';
import { addScreenshotTool } from './screenshot.ts';
import { addSoundTools } from './sound.ts';
import { addSourceTools } from './sources.ts';
import { addTransitionTools } from './transitions.ts';

export function addTools(server: LiveServer, obs: Obs, clock: Clock): void {
  addConnectionTools(server, obs);
  addSceneTools(server, obs);
  addSourceTools(server, obs);
  addInputTools(server, obs);
  addSoundTools(server, obs);
  addFilterTools(server, obs);
  addTransitionTools(server, obs);
  addOutputTools(server, obs);
  addScreenshotTool(server, obs);
  addMediaTools(server, obs);
  addHotkeyTools(server, obs);
  addCollectionTools(server, obs);
  addPresetTools(server, obs, clock);
}
