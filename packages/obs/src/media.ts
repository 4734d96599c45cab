// `obs://media/{input}`: an input that plays something. Its position moves all the time, so it is asked for when it is
// read, and only a change of the state is announced.
import { mediaContent, mediaStateWord } from './model/contents.ts';
import { mediaStatus } from './source/answers.ts';
import type { Obs } from './source/obs.ts';

/** Undefined if the input plays nothing. */
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
