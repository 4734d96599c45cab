// The log: events of OBS, and the state of the connection.
import { eventually } from '@tidings/live/testing';
import { expect, onTestFinished, test } from 'vitest';
import { FakeObs } from '../support/fake-obs/fake-obs.ts';
import { audio, color, microphone, scene } from './studio-case.ts';
import { Workbench } from './workbench.ts';

async function logged(version: string) {
  const obs = await FakeObs.started({ version });
  onTestFinished(() => obs.kill());
  const lines: string[] = [];
  const at = (level: string) => (_fields: object, message: string) => void lines.push(`${level}: ${message}`);
  const bench = await Workbench.connected(obs, { log: { info: at('info'), warn: at('warn'), error: at('error') } });
  onTestFinished(() => bench[Symbol.asyncDispose]());
  return { obs, bench, lines };
}

test('events of OBS are logged at info, once each', async () => {
  const { bench, lines } = await logged('5.1.0');
  await bench.byHand('CreateScene', { sceneName: 'Gaming' });
  await bench.byHand('CreateInput', { sceneName: 'Gaming', inputName: 'Mic', inputKind: microphone });
  await bench.until(scene('Gaming'), (content) => Object(content).sources?.length === 1);
  await bench.until(audio('Mic'), (content) => content !== undefined);
  const mute = { inputName: 'Mic', inputMuted: true };
  await bench.byHand('SetInputMute', mute);
  await bench.byHand('SetInputMute', mute);
  const hide = { sceneName: 'Gaming', sceneItemId: 1, sceneItemEnabled: false };
  await bench.byHand('SetSceneItemEnabled', hide);
  await bench.byHand('SetCurrentProgramScene', { sceneName: 'Gaming' });
  await bench.byHand('StartRecord');
  await bench.byHand('SetSceneName', { sceneName: 'Gaming', newSceneName: 'Games' });
  await eventually('the last line', () => lines.includes('info: Scene renamed: Gaming is now Games'));
  expect(lines.filter((line) => !line.startsWith('info: OBS is'))).toEqual([
    'info: Scene created: Gaming',
    'info: Input created: Mic',
    'info: Source added to Gaming: Mic',
    'info: Input muted: Mic',
    'info: Source hidden in Gaming: Mic',
    'info: Scene changed to: Gaming',
    'info: Recording: starting',
    'info: Recording: started',
    'info: Scene renamed: Gaming is now Games',
  ]);
});

test('logs a lost OBS as a warning and its return; an exit announces no removals', async () => {
  const { obs, bench, lines } = await logged('5.1.0');
  await bench.call('create_scene', { scene: 'Kept' });
  await bench.call('create_input', { scene: 'Kept', input: 'Cam', kind: color });
  await obs.exit();
  await bench.untilAway();
  await obs.start();
  await bench.untilConnected();
  await eventually('the last line', () => lines.includes('info: OBS is back.'));
  expect(lines.filter((line) => line.includes('OBS') || line.includes('removed'))).toEqual([
    'info: OBS is connected.',
    'info: OBS exits',
    'warn: OBS is not reachable.',
    'info: OBS is back.',
  ]);
});

test('a change of the scene collection is one line, though OBS announces every removal', async () => {
  const { obs, bench, lines } = await logged('5.1.0');
  await bench.call('create_scene', { scene: 'First' });
  await obs.changeCollection('Other');
  await eventually('the line', () => lines.includes('info: Scene collection changed to: Other'));
  expect(lines.filter((line) => line.includes('removed'))).toEqual([]);
});
