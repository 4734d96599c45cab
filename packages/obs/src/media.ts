// `obs://media/{input}`: an input that plays media. Its position changes continuously, so it is requested on each read,
// and only changes of the state are announced.
import { mediaContent, mediaStateWord } from './model/contents.ts';
import { mediaStatus } from './source/answers.ts';
import type { Obs } from './source/obs.ts';

/** Undefined if the input plays no media. */
export async function readMedia(obs: Obs, input: string) {
  const content = mediaContent(obs.studio, input);
  if (content === undefined) return undefined;
  const status = mediaStatus.parse(await obs.call('GetMediaInputStatus', { inputName: input }));
  return {
    ...content,
    state: mediaStateWord(status.mediaState),
    positionMs: status.mediaCursor ?? null,
    durationMs: status.mediaDuration ?? null,
  };
}
