// Scenes, studio mode and transitions of the fake OBS.
import { transitions, newContainer } from './fake-studio.ts';
import { dropInput } from './input-requests.ts';
import { Declined, type FakeWorld, type Handler, flag, mustBeNew, number, sceneOf, text } from './request.ts';

export const sceneRequests: Record<string, Handler> = {
  GetSceneList: ({ studio }) => ({
    currentProgramSceneName: studio.scenes.length === 0 ? null : studio.program,
    currentPreviewSceneName: studio.preview,
    scenes: sceneList(studio.scenes),
  }),
  GetGroupList: ({ studio }) => ({ groups: studio.groups.map(({ name }) => name) }),
  GetCurrentProgramScene: ({ studio }) => ({ currentProgramSceneName: studio.program }),
  CreateScene: (world, data) => {
    const name = text(data, 'sceneName');
    mustBeNew(world, name);
    // At the bottom of the list, which is where obs-websocket starts to count.
    world.studio.scenes.unshift(newContainer(name));
    world.emit('SceneListChanged', { scenes: sceneList(world.studio.scenes) });
    world.emit('SceneCreated', { sceneName: name, isGroup: false });
  },
  RemoveScene: (world, data) => {
    const { studio } = world;
    const scene = sceneOf(world, data);
    studio.scenes = studio.scenes.filter((each) => each !== scene);
    world.emit('SceneRemoved', { sceneName: scene.name, isGroup: false });
    // OBS's interface does the rest, after the response.
    world.later(() => {
      const [next] = studio.scenes;
      world.emit('SceneListChanged', { scenes: sceneList(studio.scenes) });
      if (studio.program === scene.name && next) switchTo(world, next.name);
      for (const { name } of studio.filters.get(scene.name) ?? []) {
        world.emit('SourceFilterRemoved', { sourceName: scene.name, filterName: name });
      }
      studio.filters.delete(scene.name);
      for (const source of new Set(scene.items.map((item) => item.source))) dropInput(world, source);
    });
  },
  SetSceneName: (world, data) => {
    const { studio } = world;
    const [scene, name] = [sceneOf(world, data), text(data, 'newSceneName')];
    mustBeNew(world, name);
    const old = scene.name;
    scene.name = name;
    if (studio.program === old) studio.program = name;
    if (studio.preview === old) studio.preview = name;
    for (const { items } of studio.containers) for (const item of items) if (item.source === old) item.source = name;
    const filters = studio.filters.get(old);
    studio.filters.delete(old);
    if (filters) studio.filters.set(name, filters);
    world.emit('SceneNameChanged', { oldSceneName: old, sceneName: name });
  },
  SetCurrentProgramScene: (world, data) => {
    const scene = sceneOf(world, data);
    if (scene.name !== world.studio.program) switchTo(world, scene.name);
  },
  SetCurrentPreviewScene: (world, data) => {
    if (!world.studio.studioMode) throw new Declined(506, '');
    const scene = sceneOf(world, data);
    if (scene.name === world.studio.preview) return;
    world.studio.preview = scene.name;
    world.later(() => world.emit('CurrentPreviewSceneChanged', { sceneName: scene.name }));
  },
  GetStudioModeEnabled: ({ studio }) => ({ studioModeEnabled: studio.studioMode }),
  SetStudioModeEnabled: (world, data) => {
    const { studio } = world;
    const enabled = flag(data, 'studioModeEnabled');
    if (enabled === studio.studioMode) return;
    // When studio mode ends, OBS first reports the preview as the program scene, and then the real one.
    if (!enabled && studio.preview !== studio.program) {
      world.emit('CurrentProgramSceneChanged', { sceneName: studio.preview });
      world.emit('CurrentProgramSceneChanged', { sceneName: studio.program });
    }
    studio.studioMode = enabled;
    studio.preview = enabled ? studio.program : null;
    world.emit('StudioModeStateChanged', { studioModeEnabled: enabled });
  },
  TriggerStudioModeTransition: (world) => {
    const { studio } = world;
    if (!studio.studioMode || studio.preview === null) throw new Declined(506, '');
    const [on, off] = [studio.preview, studio.program];
    switchTo(world, on);
    world.later(() => {
      studio.preview = off;
      world.emit('CurrentPreviewSceneChanged', { sceneName: off });
    });
  },
  GetSceneTransitionList: ({ studio }) => ({
    currentSceneTransitionName: studio.transition,
    transitions: transitions.map(({ name, kind }) => ({ transitionName: name, transitionKind: kind })),
  }),
  GetCurrentSceneTransition: ({ studio }) => {
    const current = transitions.find(({ name }) => name === studio.transition);
    return {
      transitionName: studio.transition,
      transitionKind: current?.kind,
      transitionFixed: current?.isFixed,
      transitionDuration: current?.isFixed ? null : studio.transitionMs,
      transitionConfigurable: false,
      transitionSettings: null,
    };
  },
  SetCurrentSceneTransition: (world, data) => {
    const name = text(data, 'transitionName');
    if (!transitions.some((each) => each.name === name)) {
      throw new Declined(600, 'No scene transition was found by that name.');
    }
    world.studio.transition = name;
    world.later(() => world.emit('CurrentSceneTransitionChanged', { transitionName: name }));
  },
  SetCurrentSceneTransitionDuration: (world, data) => {
    world.studio.transitionMs = number(data, 'transitionDuration');
    world.emit('CurrentSceneTransitionDurationChanged', { transitionDuration: world.studio.transitionMs });
  },
};

export function sceneList(scenes: readonly { name: string }[]) {
  return scenes.map(({ name }, index) => ({ sceneName: name, sceneIndex: index }));
}

/** OBS has the new scene when the transition starts, and announces it when the transition has ended. */
function switchTo(world: FakeWorld, scene: string): void {
  const { studio } = world;
  const transitionName = studio.transition;
  world.emit('SceneTransitionStarted', { transitionName });
  studio.program = scene;
  world.later(() => {
    releaseGone(world, scene);
    world.emit('SceneTransitionVideoEnded', { transitionName });
    world.emit('SceneTransitionEnded', { transitionName });
    world.emit('CurrentProgramSceneChanged', { sceneName: scene });
  });
}

/** Inputs that were removed leave a scene only when it is shown. */
function releaseGone(world: FakeWorld, scene: string): void {
  const { studio } = world;
  const container = studio.scene(scene);
  if (!container) return;
  const gone = container.items.filter(({ source }) => studio.inputs.get(source)?.isGone);
  container.items = container.items.filter((item) => !gone.includes(item));
  for (const { id, source } of gone) {
    world.emit('SceneItemRemoved', { sceneName: scene, sourceName: source, sceneItemId: id });
    dropInput(world, source);
  }
}
