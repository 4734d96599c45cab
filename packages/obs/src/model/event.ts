// The events of obs-websocket that change the studio, with OBS's own names. Other events are ignored.
import { z } from 'zod';

const settings = z.record(z.string(), z.unknown());
const state = z.object({ outputActive: z.boolean(), outputState: z.string() });

const event = z.discriminatedUnion('type', [
  form('ExitStarted', {}),
  form('CurrentSceneCollectionChanging', {}),
  form('CurrentSceneCollectionChanged', { sceneCollectionName: z.string() }),
  form('SceneCollectionListChanged', { sceneCollections: z.array(z.string()) }),
  form('CurrentProfileChanged', { profileName: z.string() }),
  form('ProfileListChanged', { profiles: z.array(z.string()) }),

  form('SceneListChanged', { scenes: z.array(z.object({ sceneName: z.string(), sceneIndex: z.number() })) }),
  form('SceneCreated', { sceneName: z.string(), isGroup: z.boolean() }),
  form('SceneRemoved', { sceneName: z.string(), isGroup: z.boolean() }),
  form('SceneNameChanged', { oldSceneName: z.string(), sceneName: z.string() }),
  form('CurrentProgramSceneChanged', { sceneName: z.string() }),
  form('CurrentPreviewSceneChanged', { sceneName: z.string() }),
  form('StudioModeStateChanged', { studioModeEnabled: z.boolean() }),

  form('SceneItemCreated', { sceneName: z.string(), sourceName: z.string(), sceneItemId: z.number() }),
  form('SceneItemRemoved', { sceneName: z.string(), sceneItemId: z.number() }),
  form('SceneItemListReindexed', {
    sceneName: z.string(),
    sceneItems: z.array(z.object({ sceneItemId: z.number(), sceneItemIndex: z.number() })),
  }),
  form('SceneItemEnableStateChanged', {
    sceneName: z.string(),
    sceneItemId: z.number(),
    sceneItemEnabled: z.boolean(),
  }),
  form('SceneItemLockStateChanged', { sceneName: z.string(), sceneItemId: z.number(), sceneItemLocked: z.boolean() }),

  form('SceneItemTransformChanged', { sceneName: z.string(), sceneItemId: z.number(), sceneItemTransform: settings }),

  form('InputCreated', { inputName: z.string(), inputKind: z.string(), inputSettings: settings }),
  form('InputRemoved', { inputName: z.string() }),
  form('InputNameChanged', { oldInputName: z.string(), inputName: z.string() }),
  form('InputSettingsChanged', { inputName: z.string(), inputSettings: settings }),
  form('InputMuteStateChanged', { inputName: z.string(), inputMuted: z.boolean() }),
  form('InputVolumeChanged', { inputName: z.string(), inputVolumeMul: z.number(), inputVolumeDb: z.number() }),
  form('InputAudioBalanceChanged', { inputName: z.string(), inputAudioBalance: z.number() }),
  form('InputAudioSyncOffsetChanged', { inputName: z.string(), inputAudioSyncOffset: z.number() }),
  form('InputAudioTracksChanged', { inputName: z.string(), inputAudioTracks: z.record(z.string(), z.boolean()) }),
  form('InputAudioMonitorTypeChanged', { inputName: z.string(), monitorType: z.string() }),
  form('MediaInputPlaybackStarted', { inputName: z.string() }),
  form('MediaInputPlaybackEnded', { inputName: z.string() }),
  form('MediaInputActionTriggered', { inputName: z.string() }),

  form('SourceFilterCreated', {
    sourceName: z.string(),
    filterName: z.string(),
    filterKind: z.string(),
    filterSettings: settings,
  }),
  form('SourceFilterRemoved', { sourceName: z.string(), filterName: z.string() }),
  form('SourceFilterNameChanged', { sourceName: z.string(), oldFilterName: z.string(), filterName: z.string() }),
  form('SourceFilterEnableStateChanged', {
    sourceName: z.string(),
    filterName: z.string(),
    filterEnabled: z.boolean(),
  }),
  form('SourceFilterSettingsChanged', { sourceName: z.string(), filterName: z.string(), filterSettings: settings }),
  form('SourceFilterListReindexed', {
    sourceName: z.string(),
    filters: z.array(z.object({ filterName: z.string() })),
  }),

  form('CurrentSceneTransitionChanged', { transitionName: z.string() }),
  form('CurrentSceneTransitionDurationChanged', { transitionDuration: z.number() }),
  form('SceneTransitionStarted', {}),
  form('SceneTransitionEnded', {}),

  form('StreamStateChanged', state.shape),
  form('RecordStateChanged', { ...state.shape, outputPath: z.string().nullish() }),
  form('RecordFileChanged', { newOutputPath: z.string() }),
  form('ReplayBufferStateChanged', state.shape),
  form('ReplayBufferSaved', { savedReplayPath: z.string() }),
  form('VirtualcamStateChanged', state.shape),
]);

export type ObsEvent = z.infer<typeof event>;
export type EventOf<T extends ObsEvent['type']> = Extract<ObsEvent, { type: T }>;

function form<const T extends string, S extends z.ZodRawShape>(type: T, shape: S) {
  return z.object({ type: z.literal(type), data: z.object(shape) });
}

/** The types of the events that are listened for. */
export const eventTypes = event.options.flatMap(({ shape }) => [...shape.type.values]);

/** Undefined for an event that is ignored. */
export function parseEvent(type: string, data: unknown): ObsEvent | undefined {
  return event.safeParse({ type, data: data ?? {} }).data;
}
