// The URIs of resources. Each name has one spelling, the kit's canonical one.
import { encodeSegment } from '@tidings/live/internal';

export const statusUri = 'obs://status';

export const uriOf = {
  scene: (scene: string) => `obs://scene/${encodeSegment(scene)}`,
  source: (scene: string, source: string) => `obs://source/${encodeSegment(scene)}/${encodeSegment(source)}`,
  audioInput: (input: string) => `obs://audio-input/${encodeSegment(input)}`,
  filter: (source: string, filter: string) => `obs://filter/${encodeSegment(source)}/${encodeSegment(filter)}`,
  meters: (input: string) => `obs://meters/${encodeSegment(input)}`,
  media: (input: string) => `obs://media/${encodeSegment(input)}`,
  preset: (preset: string) => `obs://preset/${encodeSegment(preset)}`,
};
