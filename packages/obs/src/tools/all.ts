// Every tool of the OBS server, by what it is for.
import type { LiveServer } from '@tidings/live';
import type { Obs } from '../source/obs.ts';
import { addConnectionTools } from './connection.ts';
import { addFilterTools } from './filters.ts';
import { addInputTools } from './inputs.ts';
import { addOutputTools } from './outputs.ts';
import { addSceneTools } from './scenes.ts';
import { addScreenshotTool } from './screenshot.ts';
import { addSourceTools } from './sources.ts';
import { addTransitionTools } from './transitions.ts';

export function addTools(server: LiveServer, obs: Obs): void {
  addConnectionTools(server, obs);
  addSceneTools(server, obs);
  addSourceTools(server, obs);
  addInputTools(server, obs);
  addFilterTools(server, obs);
  addTransitionTools(server, obs);
  addOutputTools(server, obs);
  addScreenshotTool(server, obs);
}
