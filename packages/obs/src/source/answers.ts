// Converts OBS's responses to the types of the studio. Unknown fields are ignored.
import { z } from 'zod';
import type { Device, Filter, Item, OutputState, Preset } from '../model/studio.ts';
import { transformFrom } from '../model/transform.ts';

const settings = z.record(z.string(), z.unknown());

export const sceneList = z.object({
  scenes: z.array(z.object({ sceneName: z.string(), sceneIndex: z.number() })),
  currentProgramSceneName: z.string().nullable(),
  currentPreviewSceneName: z.string().nullable(),
});

export const studioMode = z.object({ studioModeEnabled: z.boolean() });

export const inputList = z.object({ inputs: z.array(z.object({ inputName: z.string() })) });

const sceneItem = z.object({
  sceneItemId: z.number(),
  sceneItemIndex: z.number(),
  sourceName: z.string(),
  sourceType: z.string(),
  isGroup: z.boolean().nullish(),
  sceneItemEnabled: z.boolean(),
  sceneItemLocked: z.boolean(),
  sceneItemBlendMode: z.string().nullish(),
  sceneItemTransform: settings.nullish(),
});
export const sceneItemList = z.object({ sceneItems: z.array(sceneItem) });

/** OBS counts from the bottom; the studio starts at the top. */
export function itemsFrom({ sceneItems }: z.infer<typeof sceneItemList>): Item[] {
  return sceneItems
    .toSorted((a, b) => b.sceneItemIndex - a.sceneItemIndex)
    .map((item) => ({
      id: item.sceneItemId,
      source: item.sourceName,
      type: itemType(item),
      visible: item.sceneItemEnabled,
      locked: item.sceneItemLocked,
      blendMode: item.sceneItemBlendMode ?? null,
      transform: transformFrom(item.sceneItemTransform ?? {}),
    }));
}

function itemType({ sourceType, isGroup }: z.infer<typeof sceneItem>): Item['type'] {
  if (sourceType !== 'OBS_SOURCE_TYPE_SCENE') return 'input';
  return isGroup ? 'group' : 'scene';
}

export const inputSettings = z.object({ inputKind: z.string(), inputSettings: settings });
export const inputMute = z.object({ inputMuted: z.boolean() });
export const inputVolume = z.object({ inputVolumeMul: z.number(), inputVolumeDb: z.number() });
export const inputBalance = z.object({ inputAudioBalance: z.number() });
export const inputSyncOffset = z.object({ inputAudioSyncOffset: z.number() });
export const inputMonitorType = z.object({ monitorType: z.string() });
export const inputTracks = z.object({ inputAudioTracks: z.record(z.string(), z.boolean()) });
const device = z.object({ itemName: z.string(), itemValue: z.unknown() });
export const deviceList = z.object({ propertyItems: z.array(device) });

/** Items whose value is not text, such as separators, cannot be chosen. */
export function devicesFrom({ propertyItems }: z.infer<typeof deviceList>): Device[] {
  return propertyItems.flatMap(({ itemName, itemValue }) =>
    typeof itemValue === 'string' ? [{ id: itemValue, name: itemName }] : [],
  );
}

export const mediaStatus = z.object({
  mediaState: z.string(),
  mediaDuration: z.number().nullish(),
  mediaCursor: z.number().nullish(),
});

const filter = z.object({
  filterName: z.string(),
  filterKind: z.string(),
  filterEnabled: z.boolean(),
  filterIndex: z.number(),
  filterSettings: settings,
});
export const filterList = z.object({ filters: z.array(filter) });

export function filtersFrom({ filters }: z.infer<typeof filterList>): Filter[] {
  return filters
    .toSorted((a, b) => a.filterIndex - b.filterIndex)
    .map(({ filterName, filterKind, filterEnabled, filterSettings }) => ({
      name: filterName,
      kind: filterKind,
      enabled: filterEnabled,
      settings: filterSettings,
    }));
}

export const currentTransition = z.object({
  transitionName: z.string(),
  transitionKind: z.string(),
  transitionDuration: z.number().nullable(),
  transitionSettings: settings.nullish(),
});
export const transitionList = z.object({ transitions: z.array(z.object({ transitionName: z.string() })) });

export const collectionList = z.object({
  currentSceneCollectionName: z.string(),
  sceneCollections: z.array(z.string()),
});
export const profileList = z.object({ currentProfileName: z.string(), profiles: z.array(z.string()) });

const preset = z.object({
  scene: z.string(),
  savedAt: z.string(),
  sources: z.array(z.object({ sceneItemId: z.number(), name: z.string(), visible: z.boolean() })),
});
export const persistentData = z.object({ slotValue: z.unknown() });

/** Another program may have written the data: invalid presets are left out. */
export function presetsFrom(data: z.infer<typeof persistentData> | undefined): ReadonlyMap<string, Preset> {
  const { data: slots = {} } = settings.safeParse(data?.slotValue);
  return new Map(
    Object.entries(slots).flatMap(([name, value]) => {
      const parsed = preset.safeParse(value);
      return parsed.success ? [[name, parsed.data] as const] : [];
    }),
  );
}

const output = z.object({
  outputActive: z.boolean(),
  outputPaused: z.boolean().optional(),
  outputReconnecting: z.boolean().optional(),
});
export const outputStatus = output;

export function outputStateFrom({
  outputActive,
  outputPaused,
  outputReconnecting,
}: z.infer<typeof output>): OutputState {
  if (!outputActive) return 'stopped';
  if (outputPaused) return 'paused';
  return outputReconnecting ? 'reconnecting' : 'started';
}
