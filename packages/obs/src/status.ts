// `obs://status`: the state of the connection and, while connected, of the outputs and the program scene.
import { z } from 'zod';
import { liveContent } from './model/contents.ts';
import type { Obs } from './source/obs.ts';

const absent = {
  sceneCollection: null,
  sceneCollections: null,
  profile: null,
  profiles: null,
  programScene: null,
  previewScene: null,
  studioMode: null,
  transition: null,
  streaming: null,
  recording: null,
  recordingPaused: null,
  replayBuffer: null,
  virtualCamera: null,
  outputs: null,
  lastRecording: null,
  lastReplay: null,
};

const numbers = z.record(z.string(), z.unknown()).optional().catch(undefined);

/** Can be read without OBS too. Figures are requested on each read: OBS sends no events for them. */
export async function readStatus(obs: Obs) {
  const { connection } = obs;
  if (connection.state !== 'connected') {
    const { state, detail, lastSeen } = connection;
    return {
      connected: false,
      state,
      detail,
      since: null,
      lastSeen: lastSeen === undefined ? null : new Date(lastSeen).toISOString(),
      obsVersion: null,
      websocketVersion: null,
      ...absent,
      stats: null,
    };
  }
  const { since, obsVersion, websocketVersion } = connection;
  const [stats, stream, record] = await Promise.all([
    figures(obs, 'GetStats'),
    figures(obs, 'GetStreamStatus'),
    figures(obs, 'GetRecordStatus'),
  ]);
  return {
    connected: true,
    state: connection.state,
    detail: `Connected to OBS ${obsVersion}.`,
    since: new Date(since).toISOString(),
    lastSeen: null,
    obsVersion,
    websocketVersion,
    ...liveContent(obs.lastKnown),
    stats: stats === null ? null : { ...stats, stream, record },
  };
}

/** A failure is ignored: the rest of the status is still useful. */
async function figures(obs: Obs, request: 'GetStats' | 'GetStreamStatus' | 'GetRecordStatus') {
  try {
    return numbers.parse(await obs.call(request)) ?? null;
  } catch {
    return null;
  }
}
