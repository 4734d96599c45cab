// A behaviour of the OBS server, for the fake and a real OBS.
import type { Workbench } from './workbench.ts';

export interface StudioCase {
  name: string;
  /** Each case uses names of its own, so all can share one OBS. */
  run(this: void, bench: Workbench): Promise<void>;
}

export const scene = (name: string) => `obs://scene/${encode(name)}`;
export const source = (scene: string, name: string) => `obs://source/${encode(scene)}/${encode(name)}`;
export const audio = (name: string) => `obs://audio-input/${encode(name)}`;
export const filter = (source: string, name: string) => `obs://filter/${encode(source)}/${encode(name)}`;

function encode(name: string): string {
  return encodeURIComponent(name).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

export const color = 'color_source_v3';
export const microphone = 'pulse_input_capture';
export const tint = 'color_filter_v2';
