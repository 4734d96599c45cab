// Reads parts of the studio from OBS, many in one batch. Objects that OBS no longer has are left out of the result: an
// event reports their removal.
import type { z } from 'zod';
import type { Need } from '../model/need.ts';
import type { Part } from '../model/part.ts';
import type { Audio } from '../model/studio.ts';
import * as answers from './answers.ts';
import { presetSlot } from './preset-slot.ts';
import type { ObsResponse, BatchRequest, ObsSession } from './obs-session.ts';
import { ObsRefusal } from './refusal.ts';

/** OBS is changing its scene collection; its responses meanwhile are discarded. */
export class NotReady extends Error {
  override readonly name = 'NotReady';
}

/** Limited, so that no batch keeps OBS or this process busy for long. */
const batchSize = 400;

/** The part of a session that the studio mirror and its reads use. */
export type ReadableSession = Pick<ObsSession, 'batch' | 'can' | 'close'>;

export async function readParts(session: ReadableSession, needs: readonly Need[]): Promise<Part[]> {
  const readings = needs.map((need) => readingOf(need));
  const requests = readings.flatMap(({ requests }) => requests);
  const all = await askAll(session, requests);
  let begin = 0;
  return readings.flatMap(({ requests, part }) => {
    const own = all.slice(begin, (begin += requests.length));
    const made = part((index, form) => take(own[index], requests[index], form));
    return made === undefined ? [] : [made];
  });
}

async function askAll(
  session: ReadableSession,
  requests: readonly BatchRequest[],
): Promise<(ObsResponse | undefined)[]> {
  const known = requests.filter(({ requestType }) => session.can(requestType));
  const answered = new Map<BatchRequest, ObsResponse>();
  for (let start = 0; start < known.length; start += batchSize) {
    const chunk = known.slice(start, start + batchSize);
    const results = await session.batch(chunk);
    for (const [index, request] of chunk.entries()) {
      const result = results[index];
      if (result) answered.set(request, result);
    }
  }
  return requests.map((request) => answered.get(request));
}

/** The data of one response; undefined if OBS refused. */
type Take = <T>(index: number, form: z.ZodType<T>) => T | undefined;

interface PartQuery {
  requests: BatchRequest[];
  part(this: void, take: Take): Part | undefined;
}

function take<T>(
  answer: ObsResponse | undefined,
  request: BatchRequest | undefined,
  form: z.ZodType<T>,
): T | undefined {
  if (answer === undefined) return undefined;
  const { result, code, comment } = answer.requestStatus;
  if (result) return form.parse(answer.responseData);
  if (new ObsRefusal(request?.requestType ?? '', code, comment).isNotReady) throw new NotReady();
  return undefined;
}

function readingOf(need: Need): PartQuery {
  switch (need.of) {
    case 'scenes':
      return {
        requests: [{ requestType: 'GetSceneList', requestData: {} }, { requestType: 'GetStudioModeEnabled' }],
        part: scenes,
      };
    case 'inputs':
      return {
        requests: [{ requestType: 'GetInputList', requestData: {} }],
        part: (take) => {
          const list = take(0, answers.inputList);
          return list && { of: 'inputs', names: list.inputs.map(({ inputName }) => inputName) };
        },
      };
    case 'transition':
      return {
        requests: [{ requestType: 'GetCurrentSceneTransition' }, { requestType: 'GetSceneTransitionList' }],
        part: transition,
      };
    case 'outputs':
      return {
        requests: [
          { requestType: 'GetStreamStatus' },
          { requestType: 'GetRecordStatus' },
          { requestType: 'GetReplayBufferStatus' },
          { requestType: 'GetVirtualCamStatus' },
        ],
        part: outputs,
      };
    case 'collection':
      return {
        requests: [{ requestType: 'GetSceneCollectionList' }, { requestType: 'GetProfileList' }],
        part: collection,
      };
    case 'presets':
      return {
        requests: [{ requestType: 'GetPersistentData', requestData: presetSlot(need.collection) }],
        part: (take) => ({ of: 'presets', presets: answers.presetsFrom(take(0, answers.persistentData)) }),
      };
    case 'items':
      return items(need.name, need.isGroup);
    case 'input':
      return input(need.name);
    case 'devices':
      return devices(need);
    default:
      return filters(need.name);
  }
}

function scenes(take: Take): Part | undefined {
  const list = take(0, answers.sceneList);
  if (!list) return undefined;
  // OBS always has a scene, except while it changes the collection.
  if (list.scenes.length === 0) throw new NotReady();
  return {
    of: 'scenes',
    scenes: list.scenes.toSorted((a, b) => b.sceneIndex - a.sceneIndex).map(({ sceneName }) => sceneName),
    programScene: list.currentProgramSceneName,
    previewScene: list.currentPreviewSceneName,
    studioMode: take(1, answers.studioMode)?.studioModeEnabled ?? false,
  };
}

function collection(take: Take): Part {
  const [scenes, settings] = [take(0, answers.collectionList), take(1, answers.profileList)];
  return {
    of: 'collection',
    collection: scenes?.currentSceneCollectionName ?? null,
    collections: scenes?.sceneCollections ?? [],
    profile: settings?.currentProfileName ?? null,
    profiles: settings?.profiles ?? [],
  };
}

function transition(take: Take): Part {
  const current = take(0, answers.currentTransition);
  const available = take(1, answers.transitionList)?.transitions.map(({ transitionName }) => transitionName) ?? [];
  return {
    of: 'transition',
    transition: {
      name: current?.transitionName ?? null,
      kind: current?.transitionKind ?? null,
      durationMs: current?.transitionDuration ?? null,
      settings: current?.transitionSettings ?? null,
      available,
    },
  };
}

function outputs(take: Take): Part {
  const [stream, record, replayBuffer, virtualCamera] = [0, 1, 2, 3].map((index) => {
    const status = take(index, answers.outputStatus);
    return status ? answers.outputStateFrom(status) : null;
  });
  return {
    of: 'outputs',
    outputs: {
      stream: stream ?? 'stopped',
      record: record ?? 'stopped',
      replayBuffer: replayBuffer ?? null,
      virtualCamera: virtualCamera ?? null,
    },
  };
}

function items(name: string, isGroup: boolean): PartQuery {
  return {
    requests: [
      { requestType: isGroup ? 'GetGroupSceneItemList' : 'GetSceneItemList', requestData: { sceneName: name } },
    ],
    part: (take) => {
      const list = take(0, answers.sceneItemList);
      return list && { of: 'items', name, items: answers.itemsFrom(list) };
    },
  };
}

const inputRequests = [
  'GetInputSettings',
  'GetInputMute',
  'GetInputVolume',
  'GetInputAudioBalance',
  'GetInputAudioSyncOffset',
  'GetInputAudioMonitorType',
  'GetInputAudioTracks',
  'GetMediaInputStatus',
] as const;

function input(name: string): PartQuery {
  return {
    requests: inputRequests.map((requestType) => ({ requestType, requestData: { inputName: name } })),
    part: (take) => {
      const settings = take(0, answers.inputSettings);
      if (!settings) return undefined;
      const { inputKind: kind, inputSettings } = settings;
      const media = take(7, answers.mediaStatus)?.mediaState ?? 'OBS_MEDIA_STATE_NONE';
      const mediaState = media === 'OBS_MEDIA_STATE_NONE' ? null : media;
      return { of: 'input', name, input: { kind, settings: inputSettings, audio: audio(take), mediaState } };
    },
  };
}

/** OBS refuses all of these for an input without audio. */
function audio(take: Take): Audio | null {
  const mute = take(1, answers.inputMute);
  const volume = take(2, answers.inputVolume);
  if (!mute || !volume) return null;
  return {
    muted: mute.inputMuted,
    volumeDb: volume.inputVolumeDb,
    volumeMul: volume.inputVolumeMul,
    balance: take(3, answers.inputBalance)?.inputAudioBalance ?? 0.5,
    syncOffsetMs: take(4, answers.inputSyncOffset)?.inputAudioSyncOffset ?? 0,
    monitorType: take(5, answers.inputMonitorType)?.monitorType ?? 'OBS_MONITORING_TYPE_NONE',
    tracks: take(6, answers.inputTracks)?.inputAudioTracks ?? {},
  };
}

function devices({ kind, input, setting }: Extract<Need, { of: 'devices' }>): PartQuery {
  return {
    requests: [
      {
        requestType: 'GetInputPropertiesListPropertyItems',
        requestData: { inputName: input, propertyName: setting },
      },
    ],
    part: (take) => {
      const list = take(0, answers.deviceList);
      return list && { of: 'devices', kind, devices: answers.devicesFrom(list) };
    },
  };
}

function filters(name: string): PartQuery {
  return {
    requests: [{ requestType: 'GetSourceFilterList', requestData: { sourceName: name } }],
    part: (take) => {
      const list = take(0, answers.filterList);
      return list && { of: 'filters', name, filters: answers.filtersFrom(list) };
    },
  };
}
