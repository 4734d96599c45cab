// Images of scenes and sources.
import { LiveError } from '@tidings/live';
import { z } from 'zod';
import type { Obs } from './obs.ts';

export interface Shot {
  source: string;
  width: number;
  /** Default: from the proportions of the source. */
  height?: number | undefined;
  format: 'png' | 'jpg';
}

export interface Image {
  mimeType: string;
  /** Base64. */
  data: string;
}

const answer = z.object({ imageData: z.string() });

export async function takeShot(obs: Obs, { source, width, height, format }: Shot): Promise<Image> {
  const request = { sourceName: source, imageFormat: format, imageWidth: width };
  const taken = await obs.call('GetSourceScreenshot', { ...request, ...(height && { imageHeight: height }) });
  const [, data] = /^data:[^;]+;base64,(.+)$/s.exec(answer.parse(taken).imageData) ?? [];
  if (!data) throw new LiveError('UNAVAILABLE', 'OBS sent no image: the source may have no picture.');
  return { mimeType: format === 'jpg' ? 'image/jpeg' : 'image/png', data };
}
