// The events of a changed scene collection: versions of obs-websocket before 5.3 send many, with wrong item ids; later
// ones send none.
import type { FakeStudio } from './fake-studio.ts';
import { sceneList } from './scene-requests.ts';

export function emitStorm(old: FakeStudio, next: FakeStudio, emit: (type: string, data: object) => void): void {
  for (const inputName of old.inputs.keys()) emit('InputRemoved', { inputName });
  for (const { name } of old.scenes) emit('SceneRemoved', { sceneName: name, isGroup: false });
  for (const [inputName, { kind, settings, muted }] of next.inputs) {
    emit('InputCreated', { inputName, inputKind: kind, inputSettings: settings, defaultInputSettings: {} });
    emit('InputMuteStateChanged', { inputName, inputMuted: muted });
  }
  for (const { name, items } of next.scenes) {
    emit('SceneCreated', { sceneName: name, isGroup: false });
    for (const [index, { source }] of items.entries()) {
      const wrong = { sceneItemId: 900 + index, sceneItemIndex: 0 };
      emit('SceneItemCreated', { sceneName: name, sourceName: source, ...wrong });
    }
  }
  emit('SceneListChanged', { scenes: sceneList(next.scenes) });
}
