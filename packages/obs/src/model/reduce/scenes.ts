// The list of scenes, their names, and the program and preview scenes.
import type { EventOf } from '../event.ts';
import { withFields, withRenamedEntry } from '../immutable.ts';
import type { Studio } from '../studio.ts';
import { withRenamedSource, withoutContainer, withoutLostGroups, withoutSource } from './items.ts';

/** The list is from top to bottom. Scenes that are not in it are removed. */
export function withSceneList(studio: Studio, scenes: readonly string[]): Studio {
  const gone = studio.scenes.filter((scene) => !scenes.includes(scene));
  const rest = gone.reduce((each, scene) => withoutContainer(withoutSource(each, scene), scene), studio);
  return withoutLostGroups(studio, withFields(rest, { scenes }));
}

/** OBS counts from the bottom. */
export function sceneListChanged(studio: Studio, { data }: EventOf<'SceneListChanged'>): Studio {
  return withSceneList(
    studio,
    data.scenes.toSorted((a, b) => b.sceneIndex - a.sceneIndex).map(({ sceneName }) => sceneName),
  );
}

export function sceneRenamed(studio: Studio, { data }: EventOf<'SceneNameChanged'>): Studio {
  const { oldSceneName: from, sceneName: to } = data;
  const follow = (name: string | null) => (name === from ? to : name);
  const renamed = withRenamedSource(studio, from, to);
  return withFields(renamed, {
    scenes: studio.scenes.map((scene) => (scene === from ? to : scene)),
    items: withRenamedEntry(renamed.items, from, to),
    programScene: follow(studio.programScene),
    previewScene: follow(studio.previewScene),
  });
}

export function programSceneChanged(studio: Studio, { data }: EventOf<'CurrentProgramSceneChanged'>): Studio {
  return withFields(studio, { programScene: data.sceneName });
}

export function previewSceneChanged(studio: Studio, { data }: EventOf<'CurrentPreviewSceneChanged'>): Studio {
  return withFields(studio, { previewScene: data.sceneName });
}

/** When studio mode begins, OBS does not name the preview scene: it is the program scene. */
export function studioModeChanged(studio: Studio, { data }: EventOf<'StudioModeStateChanged'>): Studio {
  const { studioModeEnabled: studioMode } = data;
  const previewScene = studioMode ? (studio.previewScene ?? studio.programScene) : null;
  return withFields(studio, { studioMode, previewScene });
}
