// The outputs of OBS, and the transition between scenes.
import type { EventOf } from '../event.ts';
import { withFields } from '../immutable.ts';
import type { OutputState, Outputs, Studio, Transition } from '../studio.ts';

const states: Record<string, OutputState> = {
  OBS_WEBSOCKET_OUTPUT_STARTING: 'starting',
  OBS_WEBSOCKET_OUTPUT_STARTED: 'started',
  OBS_WEBSOCKET_OUTPUT_STOPPING: 'stopping',
  OBS_WEBSOCKET_OUTPUT_STOPPED: 'stopped',
  OBS_WEBSOCKET_OUTPUT_PAUSED: 'paused',
  OBS_WEBSOCKET_OUTPUT_RESUMED: 'started',
  OBS_WEBSOCKET_OUTPUT_RECONNECTING: 'reconnecting',
  OBS_WEBSOCKET_OUTPUT_RECONNECTED: 'started',
};

interface StateData {
  outputActive: boolean;
  outputState: string;
}

/** An unknown state still shows whether the output is active. */
function stateOf({ outputActive, outputState }: StateData): OutputState {
  return states[outputState] ?? (outputActive ? 'started' : 'stopped');
}

export function withOutputs(studio: Studio, outputs: Partial<Outputs>): Studio {
  return withFields(studio, { outputs: withFields(studio.outputs, outputs) });
}

export function withTransition(studio: Studio, transition: Partial<Transition>): Studio {
  return withFields(studio, { transition: withFields(studio.transition, transition) });
}

export function streamStateChanged(studio: Studio, { data }: EventOf<'StreamStateChanged'>): Studio {
  return withOutputs(studio, { stream: stateOf(data) });
}

export function recordStateChanged(studio: Studio, { data }: EventOf<'RecordStateChanged'>): Studio {
  const { outputPath } = data;
  return withOutputs(studio, { record: stateOf(data), ...(outputPath && { lastRecording: outputPath }) });
}

export function recordFileChanged(studio: Studio, { data }: EventOf<'RecordFileChanged'>): Studio {
  return withOutputs(studio, { lastRecording: data.newOutputPath });
}

export function replayBufferStateChanged(studio: Studio, { data }: EventOf<'ReplayBufferStateChanged'>): Studio {
  return withOutputs(studio, { replayBuffer: stateOf(data) });
}

export function replaySaved(studio: Studio, { data }: EventOf<'ReplayBufferSaved'>): Studio {
  return withOutputs(studio, { lastReplay: data.savedReplayPath });
}

export function virtualCameraStateChanged(studio: Studio, { data }: EventOf<'VirtualcamStateChanged'>): Studio {
  return withOutputs(studio, { virtualCamera: stateOf(data) });
}

export function transitionDurationChanged(
  studio: Studio,
  { data }: EventOf<'CurrentSceneTransitionDurationChanged'>,
): Studio {
  return withTransition(studio, { durationMs: data.transitionDuration });
}
