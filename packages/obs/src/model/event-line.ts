// The log line for an event of OBS. There is none for values that change continuously, such as a volume, or for events
// that repeat a known value.
import type { ObsEvent } from './event.ts';
import type { Studio } from './studio.ts';

export function eventLine(studio: Studio, event: ObsEvent): string | undefined {
  switch (event.type) {
    case 'SceneCreated':
      return `${event.data.isGroup ? 'Group' : 'Scene'} created: ${event.data.sceneName}`;
    case 'SceneRemoved':
      return `${event.data.isGroup ? 'Group' : 'Scene'} removed: ${event.data.sceneName}`;
    case 'SceneNameChanged':
      return `Scene renamed: ${event.data.oldSceneName} is now ${event.data.sceneName}`;
    case 'CurrentProgramSceneChanged':
      return `Scene changed to: ${event.data.sceneName}`;
    case 'CurrentPreviewSceneChanged':
      return `Preview changed to: ${event.data.sceneName}`;
    case 'StudioModeStateChanged':
      return `Studio mode ${event.data.studioModeEnabled ? 'enabled' : 'disabled'}`;
    case 'SceneItemCreated':
      return `Source added to ${event.data.sceneName}: ${event.data.sourceName}`;
    case 'SceneItemRemoved':
      return itemLine(studio, event.data, 'removed from');
    case 'SceneItemEnableStateChanged':
      return itemLine(studio, event.data, event.data.sceneItemEnabled ? 'shown in' : 'hidden in');
    case 'InputCreated':
      return `Input created: ${event.data.inputName}`;
    case 'InputRemoved':
      return `Input removed: ${event.data.inputName}`;
    case 'InputNameChanged':
      return `Input renamed: ${event.data.oldInputName} is now ${event.data.inputName}`;
    case 'InputMuteStateChanged': {
      const { inputName, inputMuted } = event.data;
      if (studio.inputs.get(inputName)?.audio?.muted === inputMuted) return undefined;
      return `Input ${inputMuted ? 'muted' : 'unmuted'}: ${inputName}`;
    }
    case 'SourceFilterCreated':
      return `Filter added to ${event.data.sourceName}: ${event.data.filterName}`;
    case 'SourceFilterRemoved':
      return `Filter removed from ${event.data.sourceName}: ${event.data.filterName}`;
    case 'SourceFilterNameChanged':
      return `Filter of ${event.data.sourceName} renamed: ${event.data.oldFilterName} is now ${event.data.filterName}`;
    case 'SourceFilterEnableStateChanged': {
      const { sourceName, filterName, filterEnabled } = event.data;
      const known = studio.filters.get(sourceName)?.find(({ name }) => name === filterName);
      if (known?.enabled === filterEnabled) return undefined;
      return `Filter of ${sourceName} ${filterEnabled ? 'enabled' : 'disabled'}: ${filterName}`;
    }
    case 'MediaInputPlaybackStarted':
      return `Media started: ${event.data.inputName}`;
    case 'MediaInputPlaybackEnded':
      return `Media ended: ${event.data.inputName}`;
    case 'CurrentSceneTransitionChanged':
      return `Transition changed to: ${event.data.transitionName}`;
    case 'CurrentSceneCollectionChanged':
      return `Scene collection changed to: ${event.data.sceneCollectionName}`;
    case 'CurrentProfileChanged':
      return `Profile changed to: ${event.data.profileName}`;
    case 'StreamStateChanged':
      return `Stream: ${outputWords(event.data.outputState)}`;
    case 'RecordStateChanged':
      return `Recording: ${outputWords(event.data.outputState)}`;
    case 'ReplayBufferStateChanged':
      return `Replay buffer: ${outputWords(event.data.outputState)}`;
    case 'ReplayBufferSaved':
      return `Replay saved: ${event.data.savedReplayPath}`;
    case 'VirtualcamStateChanged':
      return `Virtual camera: ${outputWords(event.data.outputState)}`;
    case 'ExitStarted':
      return 'OBS exits';
    default:
      return undefined;
  }
}

function itemLine(
  studio: Studio,
  { sceneName, sceneItemId }: { sceneName: string; sceneItemId: number },
  what: string,
) {
  const item = studio.items.get(sceneName)?.find(({ id }) => id === sceneItemId);
  return item && `Source ${what} ${sceneName}: ${item.source}`;
}

/** `OBS_WEBSOCKET_OUTPUT_STARTED` is `started`. */
function outputWords(outputState: string): string {
  return outputState.replace(/^OBS_WEBSOCKET_OUTPUT_/, '').toLowerCase();
}
