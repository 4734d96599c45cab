// Items of scenes and groups of the fake OBS.
import { type FakeContainer, type FakeStudio, newItem } from './fake-studio.ts';
import { dropInput } from './input-requests.ts';
import { Declined, type Handler, containerOf, flag, itemOf, number, sceneOf, settings, text } from './request.ts';

export const itemRequests: Record<string, Handler> = {
  GetSceneItemList: (world, data) => ({ sceneItems: itemList(world.studio, sceneOf(world, data)) }),
  GetGroupSceneItemList: (world, data) => {
    const group = world.studio.groups.find(({ name }) => name === text(data, 'sceneName'));
    if (!group) throw new Declined(600, 'No such group.');
    return { sceneItems: itemList(world.studio, group) };
  },
  CreateSceneItem: (world, data) => {
    const [scene, source] = [sceneOf(world, data), text(data, 'sourceName')];
    if (!world.studio.hasSource(source)) throw new Declined(600, `No source was found by the name of \`${source}\`.`);
    const item = newItem(scene, source, data['sceneItemEnabled'] !== false);
    scene.items.push(item);
    const place = { sceneItemId: item.id, sceneItemIndex: scene.items.length - 1 };
    world.emit('SceneItemCreated', { sceneName: scene.name, sourceName: source, ...place });
    world.later(() => world.emit('SceneItemSelected', { sceneName: scene.name, sceneItemId: item.id }));
    return { sceneItemId: item.id };
  },
  RemoveSceneItem: (world, data) => {
    const [scene, item] = itemOf(world, data);
    scene.items = scene.items.filter((each) => each !== item);
    world.emit('SceneItemRemoved', { sceneName: scene.name, sourceName: item.source, sceneItemId: item.id });
    world.later(() => dropInput(world, item.source));
  },
  SetSceneItemEnabled: (world, data) => {
    const [scene, item] = itemOf(world, data);
    const enabled = flag(data, 'sceneItemEnabled');
    if (item.enabled === enabled) return;
    item.enabled = enabled;
    const event = { sceneName: scene.name, sceneItemId: item.id, sceneItemEnabled: enabled };
    world.emit('SceneItemEnableStateChanged', event);
  },
  SetSceneItemLocked: (world, data) => {
    const [scene, item] = itemOf(world, data);
    const locked = flag(data, 'sceneItemLocked');
    if (item.locked === locked) return;
    item.locked = locked;
    world.emit('SceneItemLockStateChanged', { sceneName: scene.name, sceneItemId: item.id, sceneItemLocked: locked });
  },
  SetSceneItemIndex: (world, data) => {
    const [scene, item] = itemOf(world, data);
    scene.items = scene.items.filter((each) => each !== item);
    scene.items.splice(number(data, 'sceneItemIndex'), 0, item);
    const sceneItems = scene.items.map(({ id }, index) => ({ sceneItemId: id, sceneItemIndex: index }));
    world.emit('SceneItemListReindexed', { sceneName: scene.name, sceneItems });
  },
  GetSceneItemTransform: (world, data) => ({ sceneItemTransform: itemOf(world, data)[1].transform }),
  SetSceneItemTransform: (world, data) => {
    const [scene, item] = itemOf(world, data);
    item.transform = { ...item.transform, ...settings(data, 'sceneItemTransform') };
    const event = { sceneName: scene.name, sceneItemId: item.id, sceneItemTransform: item.transform };
    world.emit('SceneItemTransformChanged', event);
  },
  SetSceneItemBlendMode: (world, data) => {
    itemOf(world, data)[1].blendMode = text(data, 'sceneItemBlendMode');
  },
  GetSourceScreenshot: (world, data) => {
    const source = text(data, 'sourceName');
    if (!world.studio.hasSource(source)) throw new Declined(600, `No source was found by the name of \`${source}\`.`);
    return { imageData: `data:image/${text(data, 'imageFormat')};base64,${world.studio.picture}` };
  },
  GetSceneItemId: (world, data) => {
    const item = containerOf(world, data).items.find(({ source }) => source === text(data, 'sourceName'));
    if (!item) throw new Declined(600, 'No scene items were found.');
    return { sceneItemId: item.id };
  },
};

function itemList(studio: FakeStudio, { items }: FakeContainer) {
  return items.map((item, index) => {
    const isGroup = studio.groups.some(({ name }) => name === item.source);
    const isScene = isGroup || studio.scene(item.source) !== undefined;
    return {
      sceneItemId: item.id,
      sceneItemIndex: index,
      sourceName: item.source,
      sourceType: isScene ? 'OBS_SOURCE_TYPE_SCENE' : 'OBS_SOURCE_TYPE_INPUT',
      isGroup: isScene ? isGroup : null,
      inputKind: studio.inputs.get(item.source)?.kind ?? null,
      sceneItemEnabled: item.enabled,
      sceneItemLocked: item.locked,
      sceneItemBlendMode: item.blendMode,
      sceneItemTransform: item.transform,
    };
  });
}
