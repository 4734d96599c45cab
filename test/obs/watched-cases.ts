// Values that OBS announces not at all or only on request: images, levels, statistics, positions.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@tidings/live/testing';
import { expect, onTestFinished } from 'vitest';
import { type StudioCase, color, source } from './studio-case.ts';

/** A file with two minutes of a tone at half volume. */
async function toneFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-tone-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [rate, seconds] = [8000, 120];
  const sound = Buffer.alloc(44 + rate * seconds * 2);
  sound.write('RIFF', 0);
  sound.writeUInt32LE(sound.length - 8, 4);
  sound.write('WAVEfmt ', 8);
  sound.writeUInt32LE(16, 16);
  sound.writeUInt16LE(1, 20);
  sound.writeUInt16LE(1, 22);
  sound.writeUInt32LE(rate, 24);
  sound.writeUInt32LE(rate * 2, 28);
  sound.writeUInt16LE(2, 32);
  sound.writeUInt16LE(16, 34);
  sound.write('data', 36);
  sound.writeUInt32LE(rate * seconds * 2, 40);
  for (let index = 0; index < rate * seconds; index += 1) {
    sound.writeInt16LE(Math.round(16_384 * Math.sin((index * 440 * 2 * Math.PI) / rate)), 44 + index * 2);
  }
  const file = join(folder, 'tone.wav');
  await writeFile(file, sound);
  return file;
}

export const watchedCases: readonly StudioCase[] = [
  {
    name: 'a source moved by hand announces its new position',
    run: async (bench) => {
      await bench.call('create_scene', { scene: 'Places' });
      await bench.call('create_input', { scene: 'Places', input: 'Placed', kind: color });
      const uri = source('Places', 'Placed');
      const subscription = await bench.client.subscribe(uri);
      const before = bench.timesTold(uri);
      const move = { sceneName: 'Places', sceneItemId: 1, sceneItemTransform: { positionX: 33, rotation: 45 } };
      await bench.byHand('SetSceneItemTransform', move);
      await bench.told(uri, before);
      const placed = { items: [{ transform: { positionX: 33, rotation: 45 } }] };
      expect(await bench.read(uri)).toMatchObject(placed);
      await subscription.end();
    },
  },
  {
    name: 'a media input is played, paused, sought and stopped, and changes of its state are announced',
    run: async (bench) => {
      await bench.call('create_scene', { scene: 'Cinema' });
      const settings = { local_file: await toneFile(), looping: true };
      await bench.call('create_input', { scene: 'Cinema', input: 'Tone', kind: 'ffmpeg_source', settings });
      await bench.call('set_current_scene', { scene: 'Cinema' });
      const uri = 'obs://media/Tone';
      await bench.until(uri, (content) => content !== undefined);
      await bench.call('play_media', { input: 'Tone' });
      await bench.until(uri, (content) => Object(content).state === 'playing');
      expect(await bench.client.listAll()).toContain(uri);
      await bench.call('seek_media', { input: 'Tone', position_ms: 10_000 });
      await bench.until(uri, (content) => Object(content).positionMs >= 10_000);
      await bench.call('seek_media', { input: 'Tone', offset_ms: 5000 });
      await bench.until(uri, (content) => Object(content).positionMs >= 15_000);
      const subscription = await bench.client.subscribe(uri);
      const before = bench.timesTold(uri);
      const mediaAction = 'OBS_WEBSOCKET_MEDIA_INPUT_ACTION_PAUSE';
      await bench.byHand('TriggerMediaInputAction', { inputName: 'Tone', mediaAction });
      await bench.told(uri, before);
      await bench.until(uri, (content) => Object(content).state === 'paused');
      await subscription.end();
      await bench.call('stop_media', { input: 'Tone' });
      await bench.until(uri, (content) => ['ended', 'stopped'].includes(Object(content).state));
      await expect(bench.call('seek_media', { input: 'Tone', position_ms: 1 })).rejects.toThrow('playing or paused');
      await expect(bench.call('seek_media', { input: 'Tone' })).rejects.toThrow('exactly one');
      await expect(bench.call('play_media', { input: 'Nothing' })).rejects.toThrow('no input "Nothing"');
      await bench.call('set_current_scene', { scene: 'Scene' });
    },
  },
  {
    name: 'statistics can be read, and watchers are notified',
    run: async (bench) => {
      expect(await bench.read('obs://stats')).toMatchObject({
        fps: expect.any(Number),
        cpuPercent: expect.any(Number),
        rendering: { droppedFrames: expect.any(Number) },
        stream: { isActive: false, durationMs: 0 },
        record: { isActive: false, timecode: '00:00:00.000' },
      });
      const uri = 'obs://stats?every=1';
      const subscription = await bench.client.subscribe(uri);
      await eventually('the figures to be told', () => bench.timesTold(uri) > 0);
      await subscription.end();
      await expect(bench.read('obs://stats?every=0')).rejects.toMatchObject({ data: { code: 'INVALID_PARAMS' } });
    },
  },
  {
    name: 'a screenshot has the requested size, and a change of the picture is announced',
    run: async (bench) => {
      await bench.call('create_scene', { scene: 'Gallery' });
      const settings = { color: 0xff0000ff, width: 320, height: 240 };
      await bench.call('create_input', { scene: 'Gallery', input: 'Canvas', kind: color, settings });
      const uri = 'obs://screenshot/Canvas?width=32&height=16&format=png';
      await eventually('the source to have a picture', () =>
        bench.image(uri).then(
          () => true,
          () => false,
        ),
      );
      const { mimeType, blob } = Object(await bench.image(uri));
      expect(mimeType).toBe('image/png');
      expect(blob).toMatch(/^iVBOR/);
      const subscription = await bench.client.subscribe(uri);
      await eventually('a first image', () => bench.timesTold(uri) > 0);
      const before = bench.timesTold(uri);
      await bench.obs.repaint('Canvas');
      await bench.told(uri, before);
      expect(Object(await bench.image(uri)).blob).not.toBe(blob);
      await subscription.end();
      for (const wrong of ['width=0', 'width=x', 'format=gif']) {
        await expect(bench.client.read(`obs://screenshot/Canvas?${wrong}`)).rejects.toMatchObject({
          data: { code: 'INVALID_PARAMS' },
        });
      }
    },
  },
  {
    name: 'levels of an input can be read, and watchers are notified while they change',
    run: async (bench) => {
      await bench.call('create_scene', { scene: 'Concert' });
      const settings = { local_file: await toneFile(), looping: true };
      await bench.call('create_input', { scene: 'Concert', input: 'Band', kind: 'ffmpeg_source', settings });
      await bench.call('set_current_scene', { scene: 'Concert' });
      const uri = 'obs://meters/Band';
      const playing = bench.obs.playTone('Band');
      const subscription = await bench.client.subscribe(uri);
      await bench.until(uri, (content) => Object(content).peakDb > -10);
      await eventually('the levels to be told', () => bench.timesTold(uri) > 0);
      const { peakDb, magnitudeDb, channels } = Object(await bench.read(uri));
      expect(peakDb).toBeGreaterThan(-10);
      expect(magnitudeDb).toBeLessThan(peakDb);
      expect(channels.length).toBeGreaterThan(0);
      await subscription.end();
      expect(await bench.read(uri)).toMatchObject({ input: 'Band' });
      playing.end();
      await expect(bench.read('obs://meters/Nothing')).rejects.toMatchObject({ data: { code: 'RESOURCE_NOT_FOUND' } });
      await bench.call('set_current_scene', { scene: 'Scene' });
    },
  },
];
