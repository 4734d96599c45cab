// Outputs of the fake OBS. A stream cannot start, as on a machine without a streaming service.
import { Declined, type FakeWorld, type Handler } from './request.ts';

const prefix = 'OBS_WEBSOCKET_OUTPUT_';
const status = { outputTimecode: '00:00:00.000', outputDuration: 0, outputBytes: 0 };
const recording = '/recordings/fake.mkv';

function say(world: FakeWorld, event: string, state: string, outputActive: boolean, more: object = {}): void {
  world.emit(event, { outputActive, outputState: prefix + state, ...more });
}

function mustRun(isRunning: boolean): void {
  if (!isRunning) throw new Declined(501, '');
}

function mustNotRun(isRunning: boolean): void {
  if (isRunning) throw new Declined(500, '');
}

export const outputRequests: Record<string, Handler> = {
  GetStreamStatus: ({ studio }) => ({ outputActive: studio.stream, outputReconnecting: false, ...status }),
  GetRecordStatus: ({ studio }) => ({ outputActive: studio.record, outputPaused: studio.recordPaused, ...status }),
  GetReplayBufferStatus: ({ studio }) => ({ outputActive: studio.replayBuffer }),
  GetVirtualCamStatus: ({ studio }) => ({ outputActive: studio.virtualCamera }),
  StartStream: (world) => {
    mustNotRun(world.studio.stream);
    world.later(() => {
      say(world, 'StreamStateChanged', 'STARTING', false);
      say(world, 'StreamStateChanged', 'STOPPED', false);
    });
  },
  StopStream: ({ studio }) => mustRun(studio.stream),
  StartRecord: (world) => {
    mustNotRun(world.studio.record);
    say(world, 'RecordStateChanged', 'STARTING', false, { outputPath: null });
    world.later(() => {
      world.studio.record = true;
      say(world, 'RecordStateChanged', 'STARTED', true, { outputPath: recording });
    });
  },
  StopRecord: (world) => {
    mustRun(world.studio.record);
    world.later(() => {
      world.studio.record = false;
      world.studio.recordPaused = false;
      say(world, 'RecordStateChanged', 'STOPPING', false, { outputPath: null });
      say(world, 'RecordStateChanged', 'STOPPED', false, { outputPath: recording });
    });
    return { outputPath: recording };
  },
  PauseRecord: (world) => {
    mustRun(world.studio.record);
    world.studio.recordPaused = true;
    say(world, 'RecordStateChanged', 'PAUSED', true, { outputPath: null });
  },
  ResumeRecord: (world) => {
    if (!world.studio.recordPaused) throw new Declined(503, '');
    world.studio.recordPaused = false;
    say(world, 'RecordStateChanged', 'RESUMED', true, { outputPath: null });
  },
  StartReplayBuffer: (world) => {
    mustNotRun(world.studio.replayBuffer);
    world.studio.replayBuffer = true;
    say(world, 'ReplayBufferStateChanged', 'STARTED', true);
  },
  StopReplayBuffer: (world) => {
    mustRun(world.studio.replayBuffer);
    world.studio.replayBuffer = false;
    say(world, 'ReplayBufferStateChanged', 'STOPPED', false);
  },
  SaveReplayBuffer: (world) => {
    mustRun(world.studio.replayBuffer);
    world.later(() => world.emit('ReplayBufferSaved', { savedReplayPath: '/recordings/replay.mkv' }));
  },
  StartVirtualCam: (world) => {
    mustNotRun(world.studio.virtualCamera);
    world.studio.virtualCamera = true;
    say(world, 'VirtualcamStateChanged', 'STARTED', true);
  },
  StopVirtualCam: (world) => {
    mustRun(world.studio.virtualCamera);
    world.studio.virtualCamera = false;
    say(world, 'VirtualcamStateChanged', 'STOPPED', false);
  },
  GetStats: () => ({ cpuUsage: 1, memoryUsage: 100, activeFps: 30, renderSkippedFrames: 0 }),
};
