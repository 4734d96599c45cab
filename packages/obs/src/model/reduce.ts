// Applies an event of OBS to the studio. Details that an event lacks are read afterwards: see need.ts.
import type { ObsEvent } from './event.ts';
import { filterEnabledOrDisabled, filterRemoved, filterRenamed } from './reduce/filters.ts';
import { filterSettingsChanged, filtersReordered } from './reduce/filters.ts';
import { inputCreated, inputRemoved, inputRenamed, inputSettingsChanged, soundChanged } from './reduce/inputs.ts';
import { itemLockedOrUnlocked, itemMoved, itemRemoved, itemShownOrHidden, itemsReordered } from './reduce/items.ts';
import {
  recordFileChanged,
  recordStateChanged,
  replayBufferStateChanged,
  replaySaved,
  streamStateChanged,
  transitionDurationChanged,
  virtualCameraStateChanged,
  withTransition,
} from './reduce/outputs.ts';
import {
  previewSceneChanged,
  programSceneChanged,
  sceneListChanged,
  sceneRenamed,
  studioModeChanged,
} from './reduce/scenes.ts';
import { withFields } from './immutable.ts';
import type { Studio } from './studio.ts';

export function reduce(studio: Studio, event: ObsEvent): Studio {
  switch (event.type) {
    case 'SceneListChanged':
      return sceneListChanged(studio, event);
    case 'SceneNameChanged':
      return sceneRenamed(studio, event);
    case 'CurrentProgramSceneChanged':
      return programSceneChanged(studio, event);
    case 'CurrentPreviewSceneChanged':
      return previewSceneChanged(studio, event);
    case 'StudioModeStateChanged':
      return studioModeChanged(studio, event);
    case 'SceneItemRemoved':
      return itemRemoved(studio, event);
    case 'SceneItemListReindexed':
      return itemsReordered(studio, event);
    case 'SceneItemEnableStateChanged':
      return itemShownOrHidden(studio, event);
    case 'SceneItemLockStateChanged':
      return itemLockedOrUnlocked(studio, event);
    case 'SceneItemTransformChanged':
      return itemMoved(studio, event);
    case 'InputCreated':
      return inputCreated(studio, event);
    case 'InputRemoved':
      return inputRemoved(studio, event);
    case 'InputNameChanged':
      return inputRenamed(studio, event);
    case 'InputSettingsChanged':
      return inputSettingsChanged(studio, event);
    case 'InputMuteStateChanged':
    case 'InputVolumeChanged':
    case 'InputAudioBalanceChanged':
    case 'InputAudioSyncOffsetChanged':
    case 'InputAudioTracksChanged':
    case 'InputAudioMonitorTypeChanged':
      return soundChanged(studio, event);
    case 'SourceFilterRemoved':
      return filterRemoved(studio, event);
    case 'SourceFilterNameChanged':
      return filterRenamed(studio, event);
    case 'SourceFilterEnableStateChanged':
      return filterEnabledOrDisabled(studio, event);
    case 'SourceFilterSettingsChanged':
      return filterSettingsChanged(studio, event);
    case 'SourceFilterListReindexed':
      return filtersReordered(studio, event);
    case 'CurrentSceneTransitionDurationChanged':
      return transitionDurationChanged(studio, event);
    case 'SceneTransitionStarted':
      return withTransition(studio, { isRunning: true });
    case 'SceneTransitionEnded':
      return withTransition(studio, { isRunning: false });
    case 'StreamStateChanged':
      return streamStateChanged(studio, event);
    case 'RecordStateChanged':
      return recordStateChanged(studio, event);
    case 'RecordFileChanged':
      return recordFileChanged(studio, event);
    case 'ReplayBufferStateChanged':
      return replayBufferStateChanged(studio, event);
    case 'ReplayBufferSaved':
      return replaySaved(studio, event);
    case 'VirtualcamStateChanged':
      return virtualCameraStateChanged(studio, event);
    case 'SceneCollectionListChanged':
      return withFields(studio, { collections: event.data.sceneCollections });
    case 'CurrentProfileChanged':
      return withFields(studio, { profile: event.data.profileName });
    case 'ProfileListChanged':
      return withFields(studio, { profiles: event.data.profiles });
    default:
      return studio;
  }
}
