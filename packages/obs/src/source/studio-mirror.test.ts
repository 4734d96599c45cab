import { systemClock } from '@tidings/live';
import { eventually } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import { type ObsEvent, parseEvent } from '../model/event.ts';
import type { BatchRequest, ObsResponse } from './obs-session.ts';
import type { ReadableSession } from './read-parts.ts';
import { StudioMirror } from './studio-mirror.ts';

/** Scenes with the sources in them. Computes its responses at once, and sends them when the test says so. */
class SlowObs implements ReadableSession {
  scenes: Record<string, readonly string[]> = { Nest: ['Old'], Old: ['Camera'] };
  readonly #unsent: (() => void)[] = [];

  can(): boolean {
    return true;
  }

  close(): void {
    throw new Error('The session was given up.');
  }

  batch(requests: readonly BatchRequest[]): Promise<ObsResponse[]> {
    const responses = requests.map((request) => this.#response(request));
    return new Promise((resolve) => this.#unsent.push(() => resolve(responses)));
  }

  get unsent(): number {
    return this.#unsent.length;
  }

  send(): void {
    for (const each of this.#unsent.splice(0)) each();
  }

  #response(request: BatchRequest): ObsResponse {
    const data = this.#data(request.requestType, String(Object(request).requestData?.sceneName));
    const result = data !== undefined;
    return { requestStatus: { result, code: result ? 100 : 600 }, ...(result && { responseData: data }) };
  }

  #data(request: string, scene: string): object | undefined {
    const names = Object.keys(this.scenes);
    if (request === 'GetSceneList') {
      const scenes = names.map((sceneName, sceneIndex) => ({ sceneName, sceneIndex }));
      return { scenes, currentProgramSceneName: 'Nest', currentPreviewSceneName: null };
    }
    if (request === 'GetStudioModeEnabled') return { studioModeEnabled: false };
    const sources = request === 'GetSceneItemList' ? this.scenes[scene] : undefined;
    return sources && { sceneItems: sources.map((sourceName, index) => this.#item(sourceName, index)) };
  }

  #item(sourceName: string, index: number): object {
    const sourceType = sourceName in this.scenes ? 'OBS_SOURCE_TYPE_SCENE' : 'OBS_SOURCE_TYPE_INPUT';
    const item = { sceneItemId: index, sceneItemIndex: index, sourceName, sourceType };
    return { ...item, sceneItemEnabled: true, sceneItemLocked: false };
  }
}

function renamed(oldSceneName: string, sceneName: string): ObsEvent {
  return parseEvent('SceneNameChanged', { oldSceneName, sceneName }) ?? expect.unreachable();
}

it.each(['before', 'after'])('a scene that is renamed %s OBS responds to a read keeps its place', async (moment) => {
  const obs = new SlowObs();
  const log = { warn: () => undefined, error: () => undefined };
  const mirror = new StudioMirror({ clock: systemClock, log, onChange: () => undefined });
  const rename = () => void (obs.scenes = { Nest: ['New'], New: ['Camera'] });
  mirror.attach(obs);
  await eventually('everything to be read', () => (obs.send(), mirror.isCurrent));
  await eventually('nothing more to be read', () => obs.unsent === 0);

  if (moment === 'before') rename();
  let isRead = false;
  void mirror.refresh([{ of: 'scenes' }]).then(() => (isRead = true));
  mirror.event(renamed('Old', 'New'));
  rename();
  await eventually('the read to end', () => (obs.send(), isRead));

  expect(mirror.studio.scenes).toContain('New');
  const sourcesIn = (scene: string) => mirror.studio.items.get(scene)?.map(({ source }) => source);
  expect({ nest: sourcesIn('Nest'), renamed: sourcesIn('New'), old: sourcesIn('Old') }).toEqual({
    nest: ['New'],
    renamed: ['Camera'],
    old: undefined,
  });
});
