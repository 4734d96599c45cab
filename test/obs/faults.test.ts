// Faults between OBS and the server, one at a time.
import { FakeClock, eventually } from '@tidings/live/testing';
import type { ObsSettings } from '@tidings/obs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FakeObs } from '../support/fake-obs/fake-obs.ts';
import { audio, color, filter, microphone, scene, source, tint } from './studio-case.ts';
import { Workbench } from './workbench.ts';

async function connected(options: ConstructorParameters<typeof FakeObs>[0] = {}, settings: ObsSettings = {}) {
  const obs = new FakeObs(options);
  await obs.start();
  onTestFinished(() => obs.kill());
  const bench = await Workbench.connected(obs, settings);
  onTestFinished(() => bench[Symbol.asyncDispose]());
  return { obs, bench };
}

/** A change made in OBS's own window, without a request over the network. */
function does(obs: FakeObs, requestType: string, requestData: Record<string, unknown>): void {
  expect(obs.answer({ requestType, requestData }).requestStatus).toMatchObject({ result: true });
}

test('scenes and sound are read from memory, without requests to OBS', async () => {
  const { obs, bench } = await connected();
  does(obs, 'CreateInput', { sceneName: 'Scene', inputName: 'Film', inputKind: 'ffmpeg_source' });
  await bench.until(audio('Film'), (content) => content !== undefined);
  const before = obs.requests.length;
  await bench.read(scene('Scene'));
  await bench.read(audio('Film'));
  await bench.client.listAll();
  expect(obs.requests.length).toBe(before);
});

test('levels arrive even if OBS executes requests in another order', async () => {
  const { obs, bench } = await connected();
  does(obs, 'CreateInput', { sceneName: 'Scene', inputName: 'Film', inputKind: 'ffmpeg_source' });
  await bench.until(audio('Film'), (content) => content !== undefined);
  const playing = obs.playTone('Film');
  const subscription = await bench.client.subscribe('obs://meters/Film');
  await bench.told('obs://meters/Film');
  playing.end();
  const { held, release } = obs.holdReidentify();
  await subscription.end();
  await eventually('OBS to be asked for no more levels', () => held.length > 0);
  const reading = bench.read('obs://meters/Film');
  // OBS answers this after all requests of the read.
  await bench.call('list_input_kinds');
  await release();
  const later = obs.playTone('Film');
  onTestFinished(() => later.end());
  expect(await reading).toMatchObject({ input: 'Film' });
});

test('devices are read once for all inputs of a kind, only while one is watched, and new ones are announced', async () => {
  const clock = new FakeClock();
  const { obs, bench } = await connected({}, { clock, pollMs: 5000 });
  for (const inputName of ['Left', 'Right']) {
    does(obs, 'CreateInput', { sceneName: 'Scene', inputName, inputKind: microphone });
    await bench.until(audio(inputName), (content) => content !== undefined);
  }
  const looks = () => obs.requests.filter((name) => name === 'GetInputPropertiesListPropertyItems').length;
  clock.tick();
  const subscription = await bench.client.subscribe(audio('Left'), audio('Right'));
  const before = looks();
  obs.studio.devices.push({ name: 'Headset', id: 'usb-headset' });
  clock.advance(5000);
  await eventually('both to be told', () => {
    clock.tick();
    return bench.timesTold(audio('Left')) > 0 && bench.timesTold(audio('Right')) > 0;
  });
  expect(looks()).toBe(before + 1);
  const devices = expect.arrayContaining([{ id: 'usb-headset', name: 'Headset' }]);
  expect(await bench.read(audio('Left'))).toMatchObject({ devices });
  expect(bench.timesTold(audio('Left'))).toBe(1);
  await subscription.end();
  const after = looks();
  clock.advance(5000);
  // OBS answers this after all requests that the clock has caused.
  await bench.call('list_input_kinds');
  expect(looks()).toBe(after);
});

test('an answer that is older than an event does not undo it', async () => {
  const { obs, bench } = await connected();
  does(obs, 'CreateInput', { sceneName: 'Scene', inputName: 'Film', inputKind: 'ffmpeg_source' });
  await bench.until(source('Scene', 'Film'), (content) => content !== undefined);
  // OBS creates its answer now and sends it after the changes below.
  const release = obs.hold();
  const before = obs.requests.length;
  const reading = bench.read(source('Scene', 'Film'));
  await eventually('the read to be under way', () => obs.requests.length > before);
  does(obs, 'SetSceneItemEnabled', { sceneName: 'Scene', sceneItemId: 1, sceneItemEnabled: false });
  does(obs, 'SetInputMute', { inputName: 'Film', inputMuted: true });
  await bench.until(audio('Film'), (content) => Object(content).muted);
  release();
  expect(await reading).toMatchObject({ visible: false });
  expect(await bench.read(audio('Film'))).toMatchObject({ muted: true });
  expect(await bench.read(scene('Scene'))).toMatchObject({ sources: [{ visible: false }] });
});

test('changes during the first read of the studio are kept', async () => {
  const obs = new FakeObs();
  await obs.start();
  onTestFinished(() => obs.kill());
  does(obs, 'CreateInput', { sceneName: 'Scene', inputName: 'Mic', inputKind: microphone });
  const release = obs.hold();
  const bench = await Workbench.open(obs);
  onTestFinished(() => bench[Symbol.asyncDispose]());
  await eventually('the first question', () => obs.requests.includes('GetVersion'));
  release();
  const again = obs.hold();
  await eventually(
    'the studio to be read',
    () => obs.requests.includes('GetInputMute') || obs.requests.includes('GetSceneList'),
  );
  does(obs, 'SetInputMute', { inputName: 'Mic', inputMuted: true });
  does(obs, 'CreateScene', { sceneName: 'Late' });
  does(obs, 'SetSceneName', { sceneName: 'Late', newSceneName: 'Later' });
  again();
  await bench.untilConnected();
  await bench.until(audio('Mic'), (content) => Object(content).muted);
  await bench.until(scene('Later'), (content) => content !== undefined);
  expect(await bench.client.listAll()).not.toContain(scene('Late'));
});

test('a tool answers correctly even if its event was lost', async () => {
  const { obs, bench } = await connected();
  obs.loses = () => true;
  await bench.call('create_scene', { scene: 'Silent' });
  await bench.call('create_input', { scene: 'Silent', input: 'Cam', kind: color });
  await bench.call('set_source_visibility', { scene: 'Silent', source: 'Cam', visible: false });
  expect(await bench.read(scene('Silent'))).toMatchObject({ sources: [{ name: 'Cam', visible: false }] });
  await bench.call('rename_scene', { scene: 'Silent', new_name: 'Mute' });
  expect(await bench.read(scene('Mute'))).toMatchObject({ sources: [{ name: 'Cam', visible: false }] });
  await bench.call('remove_scene', { scene: 'Mute' });
  expect(await bench.client.listAll()).not.toContain(scene('Mute'));
});

test('a scene whose removal is announced while it still exists stays', async () => {
  const { obs, bench } = await connected();
  does(obs, 'CreateScene', { sceneName: 'Stays' });
  await bench.until(scene('Stays'), (content) => content !== undefined);
  await bench.client.subscribe(scene('Stays'));
  obs.emit('SceneRemoved', { sceneName: 'Stays', isGroup: false });
  does(obs, 'CreateScene', { sceneName: 'Held back' });
  await bench.until(scene('Held back'), (content) => content !== undefined);
  expect(await bench.client.listAll()).toContain(scene('Stays'));
  expect(bench.client.updates).not.toContain(scene('Stays'));
});

test.each(['5.1.0', '5.4.0'])(
  'a slow change of the collection (%s): the old one is served until the new one is complete',
  async (version) => {
    const { obs, bench } = await connected({ version });
    does(obs, 'CreateInput', { sceneName: 'Scene', inputName: 'Mic', inputKind: microphone });
    await bench.until(source('Scene', 'Mic'), (content) => content !== undefined);
    await bench.client.subscribe(audio('Mic'), scene('Scene'));
    const lists = vi.spyOn(bench.server, 'listChanged');
    const comers: Workbench[] = [];
    await obs.changeCollection('Other', async () => {
      expect(await bench.client.listAll()).toContain(audio('Mic'));
      expect(await bench.read(audio('Mic'))).toMatchObject({ name: 'Mic' });
      // A client that reads during the change waits until the studio has been read.
      const late = await Workbench.open(obs);
      onTestFinished(() => late[Symbol.asyncDispose]());
      comers.push(late);
      await eventually('the late one to ask', () => obs.requests.lastIndexOf('GetVersion') > 0);
      expect((await late.status()).connected).toBe(false);
    });
    await eventually('the new collection', async () => !(await bench.client.listAll()).includes(audio('Mic')));
    expect(lists).toHaveBeenCalledTimes(1);
    await eventually('the sound to be told', () => bench.client.updates.includes(audio('Mic')));
    await eventually('the scene to be told', () => bench.client.updates.includes(scene('Scene')));
    expect(bench.client.updates.filter((uri) => uri === scene('Scene'))).toHaveLength(1);
    for (const late of comers) await late.untilConnected();
    expect(await bench.client.listAll()).toEqual(['obs://status', scene('Scene')]);
  },
);

test('an input of the old collection that OBS still lists does not appear in the new one', async () => {
  const { obs, bench } = await connected();
  does(obs, 'CreateInput', { sceneName: 'Scene', inputName: 'Mic', inputKind: microphone });
  await bench.until(audio('Mic'), (content) => content !== undefined);
  obs.keepsInputs = true;
  await obs.changeCollection('Other');
  await bench.until('obs://status', (status) => Object(status).sceneCollection === 'Other');
  expect(await bench.client.listAll()).toEqual(['obs://status', scene('Scene')]);
});

test('an item of a group is a resource', async () => {
  const { obs, bench } = await connected();
  obs.makeGroup('Scene', 'Guests');
  await bench.until(scene('Scene'), (content) => JSON.stringify(content).includes('"group"'));
  const group = obs.studio.groups[0];
  if (group)
    group.items.push({
      ...obs.studio.scenes[0]?.items[0],
      id: 7,
      source: 'Guest',
      enabled: true,
      locked: false,
      blendMode: 'OBS_BLEND_NORMAL',
      transform: {},
    });
  does(obs, 'CreateInput', { sceneName: 'Scene', inputName: 'Guest', inputKind: color });
  obs.emit('SceneItemCreated', { sceneName: 'Guests', sourceName: 'Guest', sceneItemId: 7, sceneItemIndex: 0 });
  await bench.until(source('Guests', 'Guest'), (content) => content !== undefined);
  await bench.client.subscribe(source('Guests', 'Guest'));
  await bench.call('set_source_visibility', { scene: 'Guests', source: 'Guest', visible: false });
  await bench.told(source('Guests', 'Guest'));
  expect(await bench.read(source('Scene', 'Guest'))).toMatchObject({ visible: true });
  await bench.call('remove_source', { scene: 'Scene', source: 'Guests' });
  await eventually(
    'the group to be gone',
    async () => !(await bench.client.listAll()).includes(source('Guests', 'Guest')),
  );
});

test('a group disappears with its filters, even if their events are lost', async () => {
  const { obs, bench } = await connected();
  obs.makeGroup('Scene', 'Guests');
  await bench.until(scene('Scene'), (content) => JSON.stringify(content).includes('"group"'));
  does(obs, 'CreateSourceFilter', { sourceName: 'Guests', filterName: 'Tint', filterKind: tint });
  await bench.until(filter('Guests', 'Tint'), (content) => content !== undefined);
  await bench.client.subscribe(filter('Guests', 'Tint'));
  obs.loses = (type) => type === 'SourceFilterRemoved';
  obs.removeGroup('Scene', 'Guests');
  await bench.told(filter('Guests', 'Tint'));
  expect(await bench.client.listAll()).toEqual(['obs://status', scene('Scene')]);
  await expect(bench.read(filter('Guests', 'Tint'))).rejects.toMatchObject({ data: { code: 'RESOURCE_NOT_FOUND' } });
  obs.makeGroup('Scene', 'Guests');
  await bench.until(scene('Scene'), (content) => JSON.stringify(content).includes('"group"'));
  expect(await bench.client.listAll()).not.toContain(filter('Guests', 'Tint'));
});

test('media: watchers of the source are notified of playing and pausing', async () => {
  const { obs, bench } = await connected();
  await bench.call('create_input', { scene: 'Scene', input: 'Intro', kind: 'ffmpeg_source' });
  await bench.client.subscribe(source('Scene', 'Intro'));
  does(obs, 'TriggerMediaInputAction', { inputName: 'Intro', mediaAction: 'OBS_WEBSOCKET_MEDIA_INPUT_ACTION_PLAY' });
  await bench.told(source('Scene', 'Intro'));
  expect(await bench.read(source('Scene', 'Intro'))).toMatchObject({ mediaState: 'OBS_MEDIA_STATE_PLAYING' });
});

test('outputs: the replay buffer, the virtual camera, and pausing a recording', async () => {
  const { bench } = await connected();
  await bench.client.subscribe('obs://status');
  await bench.call('start_replay_buffer');
  await bench.told('obs://status');
  expect(await bench.call('save_replay')).toMatchObject({ lastReplay: '/recordings/replay.mkv' });
  await bench.call('start_virtual_camera');
  await bench.call('start_record');
  await bench.call('pause_record');
  expect(await bench.read('obs://status')).toMatchObject({
    replayBuffer: true,
    virtualCamera: true,
    recording: true,
    recordingPaused: true,
    stats: { activeFps: 30 },
  });
  await bench.call('resume_record');
  await bench.call('stop_record');
  await bench.call('stop_virtual_camera');
  await bench.call('stop_replay_buffer');
  expect(await bench.read('obs://status')).toMatchObject({
    replayBuffer: false,
    virtualCamera: false,
    recording: false,
  });
  await expect(bench.call('stop_stream')).rejects.toThrow('It is not running.');
});

test('a thousand toggles in a burst end in the right state, with few notifications', async () => {
  const { obs, bench } = await connected({}, { windowMs: undefined });
  await bench.call('create_input', { scene: 'Scene', input: 'Flicker', kind: color });
  await bench.client.subscribe(source('Scene', 'Flicker'));
  const before = bench.client.updates.length;
  const start = performance.now();
  for (let count = 1; count <= 1000; count += 1) {
    does(obs, 'SetSceneItemEnabled', { sceneName: 'Scene', sceneItemId: 1, sceneItemEnabled: count % 2 === 0 });
    if (count % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  does(obs, 'SetSceneItemEnabled', { sceneName: 'Scene', sceneItemId: 1, sceneItemEnabled: false });
  await bench.until(scene('Scene'), (content) => Object(content).sources[0].visible === false);
  await bench.call('add_filter', { source: 'Flicker', filter: 'End', kind: 'color_filter_v2' });
  await bench.until(filter('Flicker', 'End'), (content) => content !== undefined);
  const seconds = Math.max(1, (performance.now() - start) / 1000);
  expect(bench.client.updates.length - before).toBeLessThanOrEqual(21 * seconds);
  expect(await bench.read(source('Scene', 'Flicker'))).toMatchObject({ visible: false });
});

test('five hundred sources are listed page by page, and one change notifies of one of them', async () => {
  const { obs, bench } = await connected();
  for (let number = 0; number < 500; number += 1) {
    does(obs, 'CreateInput', {
      sceneName: 'Scene',
      inputName: `Cam ${number}`,
      inputKind: number % 2 ? color : microphone,
    });
  }
  await eventually('all to be there', async () => (await bench.client.listAll()).length === 2 + 500 + 250);
  const told = await bench.toldBy(async () => does(obs, 'SetInputMute', { inputName: 'Cam 42', inputMuted: true }));
  expect(told).toEqual([audio('Cam 42')]);
});
