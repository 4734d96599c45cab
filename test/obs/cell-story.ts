// Changes made in OBS itself, and the notifications that a client of each kind gets.
import { type TestClient, eventually, told } from '@tidings/live/testing';
import { OBSWebSocket } from 'obs-websocket-js/json';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ObsUnderTest } from '../support/service/obs-under-test.ts';
import { type OpenCell, obsCells } from './cells.ts';
import { audio, color, filter, microphone, scene, source, tint } from './studio-case.ts';

export function cellStory(start: () => Promise<ObsUnderTest>): void {
  describe.each(obsCells)('$name', ({ open }) => {
    let obs: ObsUnderTest | undefined;
    let cell: OpenCell;
    let client: TestClient;
    const hand = new OBSWebSocket();

    beforeAll(async () => {
      obs = await start();
      await hand.connect(obs.url, obs.password);
      cell = await open(obs);
      ({ client } = cell);
    }, 90_000);

    afterAll(async () => {
      await hand.disconnect();
      await cell?.[Symbol.asyncDispose]();
      await obs?.[Symbol.asyncDispose]();
    });

    const read = async (uri: string): Promise<unknown> => JSON.parse(await client.read(uri));

    /** Runs `action` and waits for an update of each URI, and of the list if `isListToo`. */
    async function tells(uris: readonly string[], action: () => Promise<unknown>, isListToo = false): Promise<void> {
      const subscription = await client.subscribe(...uris);
      expect(subscription.honored).toEqual(uris);
      const count = (uri: string) => client.updates.filter((each) => each === uri).length;
      const before = uris.map(count);
      const lists = client.listChanges.length;
      await action();
      for (const [index, uri] of uris.entries()) await told(client, uri, before[index]);
      if (isListToo) await eventually('the list to be told', () => client.listChanges.length > lists);
      await subscription.end();
    }

    it('a scene is created, renamed and removed', async () => {
      await tells([scene('Gaming')], () => hand.call('CreateScene', { sceneName: 'Gaming' }), true);
      expect(await client.listAll()).toContain(scene('Gaming'));
      expect(await read(scene('Gaming'))).toMatchObject({ name: 'Gaming', sources: [] });
      const rename = () => hand.call('SetSceneName', { sceneName: 'Gaming', newSceneName: 'Chat & more' });
      await tells([scene('Gaming'), scene('Chat & more')], rename, true);
      expect(await read(scene('Chat & more'))).toMatchObject({ name: 'Chat & more' });
      await tells([scene('Chat & more')], () => hand.call('RemoveScene', { sceneName: 'Chat & more' }), true);
      expect(await client.listAll()).not.toContain(scene('Chat & more'));
      await expect(client.read(scene('Chat & more'))).rejects.toThrow('OBS has no scene');
    });

    it('scenes are switched: the old and the new one are announced', async () => {
      await client.call('create_scene', { scene: 'Live' });
      const change = () => hand.call('SetCurrentProgramScene', { sceneName: 'Live' });
      await tells([scene('Scene'), scene('Live'), 'obs://status'], change);
      expect(await read(scene('Live'))).toMatchObject({ isActive: true });
      expect(await read(scene('Scene'))).toMatchObject({ isActive: false });
      expect(await read('obs://status')).toMatchObject({ programScene: 'Live' });
    });

    it('a source is hidden and shown', async () => {
      await client.call('create_input', { scene: 'Live', input: 'Webcam', kind: color });
      const set = (sceneItemEnabled: boolean) => () =>
        hand.call('SetSceneItemEnabled', { sceneName: 'Live', sceneItemId: 1, sceneItemEnabled });
      const uris = [scene('Live'), source('Live', 'Webcam')];
      await tells(uris, set(false));
      expect(await read(source('Live', 'Webcam'))).toMatchObject({ visible: false });
      await tells(uris, set(true));
      expect(await read(scene('Live'))).toMatchObject({ sources: [{ name: 'Webcam', visible: true }] });
    });

    it('an input is muted', async () => {
      await client.call('create_input', { scene: 'Live', input: 'Mic', kind: microphone });
      await tells([audio('Mic')], () => hand.call('SetInputMute', { inputName: 'Mic', inputMuted: true }));
      expect(await read(audio('Mic'))).toMatchObject({ muted: true, volumeDb: 0 });
    });

    it('a filter is added and disabled', async () => {
      const [sourceName, filterName] = ['Webcam', 'Tint'];
      const add = () => hand.call('CreateSourceFilter', { sourceName, filterName, filterKind: tint });
      await tells([filter('Webcam', 'Tint'), source('Live', 'Webcam')], add, true);
      const disable = () => hand.call('SetSourceFilterEnabled', { sourceName, filterName, filterEnabled: false });
      await tells([filter('Webcam', 'Tint')], disable);
      expect(await read(filter('Webcam', 'Tint'))).toMatchObject({ enabled: false, kind: tint });
    });

    it('OBS exits and returns', async () => {
      await obs?.saved('Webcam', 'Mic');
      await tells(['obs://status'], async () => obs?.kill());
      await expect(client.read(scene('Live'))).rejects.toMatchObject({ data: { code: 'UNAVAILABLE' } });
      await tells(['obs://status', scene('Live')], async () => obs?.start());
      await eventually('the scene to be readable', async () =>
        read(scene('Live')).then(
          () => true,
          () => false,
        ),
      );
    });
  });
}
