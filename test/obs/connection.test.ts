// The connection to OBS: absent, refused, lost; and secrets that appear nowhere.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock, eventually } from '@tidings/live/testing';
import type { ObsSettings } from '@tidings/obs';
import { WebSocketServer } from 'ws';
import { expect, onTestFinished, test } from 'vitest';
import { FakeObs } from '../support/fake-obs/fake-obs.ts';
import { scene } from './studio-case.ts';
import { Workbench } from './workbench.ts';

async function fake(options?: ConstructorParameters<typeof FakeObs>[0]): Promise<FakeObs> {
  const obs = new FakeObs(options);
  await obs.start();
  onTestFinished(() => obs.kill());
  return obs;
}

async function bench(obs: FakeObs, settings: ObsSettings = {}): Promise<Workbench> {
  const opened = await Workbench.open(obs, settings);
  onTestFinished(() => opened[Symbol.asyncDispose]());
  return opened;
}

/** A log that keeps its lines. */
function recording() {
  const lines: string[] = [];
  const write = (fields: object, message: string) => void lines.push(`${message} ${JSON.stringify(fields)}`);
  return { lines, log: { warn: write, error: write } };
}

test('without OBS it starts, lists its status, reports that OBS is missing, and connects when OBS appears', async () => {
  const obs = await fake();
  await obs.kill();
  const { client, ...opened } = await bench(obs);
  expect(await client.listAll()).toEqual(['obs://status']);
  expect(JSON.parse(await client.read('obs://status'))).toMatchObject({ connected: false, programScene: null });
  await client.subscribe(scene('Scene'), 'obs://status');
  await expect(client.read(scene('Scene'))).rejects.toMatchObject({
    data: { code: 'UNAVAILABLE' },
    message: expect.stringContaining('OBS has not been seen yet'),
  });
  await expect(client.call('set_current_scene', { scene: 'Scene' })).rejects.toThrow('OBS has not been seen yet');
  expect(opened.obs).toBe(obs);
  await obs.start();
  await eventually('the scene to be told', () => client.updates.includes(scene('Scene')));
  await eventually('the list to be told', () => client.listChanges.length > 0);
  expect(await client.listAll()).toEqual(['obs://status', scene('Scene')]);
});

test('the first list and the first read wait for the first connection attempt', async () => {
  const obs = await fake();
  // The clock stands still: the requests wait for OBS, not for a time limit.
  const clock = new FakeClock();
  const { client } = await bench(obs, { clock });
  expect(await client.listAll()).toEqual(['obs://status', scene('Scene')]);
  const refused = await bench(obs, { clock, password: 'not the password' });
  await expect(refused.client.read(scene('Scene'))).rejects.toThrow('does not accept the password');
});

test('a wrong password leads to a state with advice, not to more attempts', async () => {
  const obs = await fake();
  const { log, lines } = recording();
  const clock = new FakeClock();
  const opened = await bench(obs, { password: 'not-it-4711', log, clock });
  await eventually('the refusal', async () => (await opened.status()).state === 'refused');
  const { detail, connected } = await opened.status();
  expect({ detail, connected }).toMatchObject({
    connected: false,
    detail: expect.stringMatching(/TIDINGS_OBS_PASSWORD/),
  });
  expect(lines).toHaveLength(1);
  expect(lines.join()).not.toContain('not-it-4711');
  await expect(opened.read(scene('Scene'))).rejects.toMatchObject({ data: { code: 'UNAVAILABLE' } });
  // No timer for another attempt.
  expect(clock.waiting).toBe(0);
  expect(obs.greetings).toBe(1);
  // Only the tool makes another attempt.
  expect(await opened.call('reconnect_obs')).toMatchObject({ connected: false, state: 'refused' });
  expect(obs.greetings).toBe(2);
  expect(JSON.stringify([await opened.status(), lines])).not.toContain('not-it-4711');
});

test('a missing password leads to the same state', async () => {
  const obs = await fake();
  const opened = await bench(obs, { password: undefined });
  await eventually('the refusal', async () => (await opened.status()).state === 'refused');
  expect((await opened.status()).detail).toContain('OBS asks for a password.');
});

test('a refusal for another reason has advice of its own, and none about the password', async () => {
  const other = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => 'obswebsocket.json' });
  onTestFinished(() => other.close());
  other.on('connection', (socket) => socket.close(4010, 'Your requested RPC version is not supported.'));
  await new Promise((resolve) => other.once('listening', resolve));
  const address = other.address();
  const url = `ws://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  const opened = await bench(await fake(), { url });
  await eventually('the refusal', async () => (await opened.status()).state === 'refused');
  const { detail } = await opened.status();
  expect(detail).toContain('update OBS or Tidings');
  expect(detail).not.toContain('PASSWORD');
});

test('OBS without a password accepts connections with and without one', async () => {
  const obs = await fake({ password: '' });
  for (const password of ['needless', undefined]) await (await bench(obs, { password })).untilConnected();
});

test('the password can be in a file; a change of the file leads to another attempt', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-password-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const passwordFile = join(folder, 'password');
  const obs = await fake();
  const clock = new FakeClock();
  const opened = await bench(obs, { password: undefined, passwordFile, clock });
  const state = async () => {
    clock.advance(10);
    return (await opened.status()).state;
  };
  await eventually('the missing file to be told', async () => (await state()) === 'refused');
  expect((await opened.status()).detail).toContain('cannot be read (ENOENT)');
  await writeFile(passwordFile, 'wrong\n');
  await eventually('the wrong one to be tried', async () => {
    clock.advance(1000);
    return (await opened.status()).detail.includes('does not accept');
  });
  await writeFile(passwordFile, `${obs.password}\n`);
  await eventually('the right one to be tried', async () => {
    clock.advance(1000);
    return (await state()) === 'connected';
  });
});

test('a server that accepts connections and sends nothing counts as unavailable', async () => {
  const mute = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => 'obswebsocket.json' });
  onTestFinished(() => mute.close());
  await new Promise((resolve) => mute.once('listening', resolve));
  const address = mute.address();
  const url = `ws://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  const obs = await fake();
  const opened = await bench(obs, { url, timeoutMs: 50 });
  await eventually('the trouble', async () => (await opened.status()).state === 'away');
  expect((await opened.status()).detail).toContain('has not answered within 50 ms');
  for (const client of mute.clients) client.terminate();
});

test('an unanswered request fails after its time limit, and at once when OBS exits', async () => {
  const obs = await fake();
  const slow = await bench(obs, { timeoutMs: 100 });
  await slow.untilConnected();
  obs.hold();
  await expect(slow.call('list_input_kinds')).rejects.toThrow('OBS has not answered within 100 ms');

  const other = await fake();
  const opened = await bench(other, { timeoutMs: 60_000 });
  await opened.untilConnected();
  other.hold();
  const waiting = opened.call('list_input_kinds');
  await eventually('the request', () => other.requests.includes('GetInputKindList'));
  other.drop();
  await expect(waiting).rejects.toThrow('The connection to OBS has ended');
});

test('a request that this version of OBS lacks fails with advice; everything else works', async () => {
  const old = await bench(await fake({ version: '5.0.0' }));
  await old.untilConnected();
  await expect(old.call('list_filter_kinds')).rejects.toThrow('update OBS');
  const recent = await bench(await fake({ version: '5.4.0' }));
  await recent.untilConnected();
  expect((await recent.call('list_filter_kinds'))['kinds']).toContain('gain_filter');
});

test('events of high volume are not requested from OBS', async () => {
  const obs = await fake();
  await (await bench(obs)).untilConnected();
  // The bits from 16 on are meters, active and show states, and transforms.
  expect(obs.subscriptions).toHaveLength(1);
  for (const wanted of obs.subscriptions) expect(wanted >> 11).toBe(0);
});

test('levels and transforms are requested from OBS only while watched, also after a reconnection', async () => {
  const obs = await fake();
  const opened = await bench(obs);
  await opened.untilConnected();
  await opened.call('create_input', { scene: 'Scene', input: 'Mic', kind: 'pulse_input_capture' });
  const bits = () => (obs.subscriptions.at(-1) ?? 0) >> 16;
  const meters = await opened.client.subscribe('obs://meters/Mic');
  await eventually('levels to be wanted', () => bits() === 0b1);
  const place = await opened.client.subscribe('obs://source/Scene/Mic');
  await eventually('transforms to be wanted too', () => bits() === 0b1001);
  obs.drop();
  await opened.untilAway();
  await opened.untilConnected();
  await eventually('both to be wanted again', () => bits() === 0b1001);
  await meters.end();
  await eventually('transforms to be wanted', () => bits() === 0b1000);
  await place.end();
  await eventually('neither to be wanted', () => bits() === 0);
});

test('a watched screenshot is taken at most once a second with any number of reads, and never without a watcher', async () => {
  const obs = await fake();
  const clock = new FakeClock();
  const opened = await bench(obs, { clock });
  await eventually('OBS to be connected', async () => {
    clock.advance(10);
    return (await opened.status()).connected;
  });
  const taken = () => obs.requests.filter((name) => name === 'GetSourceScreenshot').length;
  const uri = 'obs://screenshot/Scene';
  const subscription = await opened.client.subscribe(uri);
  expect(taken()).toBe(0);
  for (let read = 0; read < 5; read += 1) await opened.image(uri);
  expect(taken()).toBe(1);
  for (const second of [2, 3, 4]) {
    clock.advance(1000);
    await eventually('the next one', () => taken() === second);
    await opened.image(uri);
    expect(taken()).toBe(second);
  }
  expect(opened.timesTold(uri)).toBe(0);
  await obs.repaint();
  clock.advance(1000);
  await eventually('the change to be told', () => {
    clock.tick();
    return opened.timesTold(uri) === 1;
  });
  await subscription.end();
  clock.advance(10_000);
  await opened.call('list_input_kinds');
  expect(taken()).toBe(5);
});
