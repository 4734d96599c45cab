// Tools for the outputs of OBS: the stream, the recording, the replay buffer, the virtual camera.
import { type LiveServer, LiveError } from '@tidings/live';
import { noArguments } from '@tidings/live/internal';
import type { OutputState } from '../model/studio.ts';
import { statusUri } from '../model/uri.ts';
import type { Obs } from '../source/obs.ts';
import { answer, changed } from './answer.ts';

type Output = 'stream' | 'record' | 'replayBuffer' | 'virtualCamera';

interface Switch {
  tool: string;
  title: string;
  description: string;
  request:
    | 'StartStream'
    | 'StopStream'
    | 'StartRecord'
    | 'StopRecord'
    | 'PauseRecord'
    | 'ResumeRecord'
    | 'StartReplayBuffer'
    | 'StopReplayBuffer'
    | 'StartVirtualCam'
    | 'StopVirtualCam';
  output: Output;
  wanted: OutputState;
}

const switches: readonly Switch[] = [
  {
    tool: 'start_stream',
    title: 'Start streaming',
    description: 'To the service of the settings of OBS. Answers when OBS streams, or has given up.',
    request: 'StartStream',
    output: 'stream',
    wanted: 'started',
  },
  {
    tool: 'stop_stream',
    title: 'Stop streaming',
    description: 'Answers when OBS has stopped.',
    request: 'StopStream',
    output: 'stream',
    wanted: 'stopped',
  },
  {
    tool: 'start_record',
    title: 'Start recording',
    description: 'To the folder of the settings of OBS.',
    request: 'StartRecord',
    output: 'record',
    wanted: 'started',
  },
  {
    tool: 'stop_record',
    title: 'Stop recording',
    description: 'Answers with the path of the file.',
    request: 'StopRecord',
    output: 'record',
    wanted: 'stopped',
  },
  {
    tool: 'pause_record',
    title: 'Pause recording',
    description: 'Not every encoder can: then it is an error.',
    request: 'PauseRecord',
    output: 'record',
    wanted: 'paused',
  },
  {
    tool: 'resume_record',
    title: 'Resume recording',
    description: 'Continues in the same file.',
    request: 'ResumeRecord',
    output: 'record',
    wanted: 'started',
  },
  {
    tool: 'start_replay_buffer',
    title: 'Start the replay buffer',
    description: 'Keeps the last seconds in memory, for save_replay. It has to be set up in OBS.',
    request: 'StartReplayBuffer',
    output: 'replayBuffer',
    wanted: 'started',
  },
  {
    tool: 'stop_replay_buffer',
    title: 'Stop the replay buffer',
    description: 'Its content is lost unless it was saved.',
    request: 'StopReplayBuffer',
    output: 'replayBuffer',
    wanted: 'stopped',
  },
  {
    tool: 'start_virtual_camera',
    title: 'Start the virtual camera',
    description: 'Offers the program as a camera to other applications.',
    request: 'StartVirtualCam',
    output: 'virtualCamera',
    wanted: 'started',
  },
  {
    tool: 'stop_virtual_camera',
    title: 'Stop the virtual camera',
    description: 'Other applications lose the picture.',
    request: 'StopVirtualCam',
    output: 'virtualCamera',
    wanted: 'stopped',
  },
];

/** Connecting to a streaming service, or writing the end of a large file, takes time. */
const patienceMs = 15_000;
/** OBS pauses at once or, with some encoders, not at all. */
const pausePatienceMs = 2000;

export function addOutputTools(server: LiveServer, obs: Obs): void {
  for (const each of switches) {
    server.tool(
      each.tool,
      { title: each.title, description: each.description, input: noArguments, output: changed },
      async () => {
        await flip(obs, each);
        const { outputs } = obs.studio;
        return answer([statusUri], { [each.output]: outputs[each.output], lastRecording: outputs.lastRecording });
      },
    );
  }

  server.tool(
    'save_replay',
    {
      title: 'Save the replay buffer',
      description: 'Writes what the replay buffer holds to a file.',
      input: noArguments,
      output: changed,
    },
    async () => {
      const { lastReplay: before } = obs.studio.outputs;
      await obs.call('SaveReplayBuffer');
      await obs.settle([], ({ outputs }) => outputs.lastReplay !== before, patienceMs);
      return answer([statusUri], { lastReplay: obs.studio.outputs.lastReplay });
    },
  );
}

/** OBS accepts the request first and acts afterwards; only its events show the outcome. */
async function flip(obs: Obs, { request, output, wanted }: Switch): Promise<void> {
  let hasBegun = false;
  const stop = obs.onChange(() => {
    hasBegun ||= obs.lastKnown.outputs[output] === 'starting';
  });
  const patience = wanted === 'paused' || request === 'ResumeRecord' ? pausePatienceMs : patienceMs;
  try {
    await obs.call(request);
    await obs.settle(
      [],
      ({ outputs }) => outputs[output] === wanted || (hasBegun && outputs[output] === 'stopped'),
      patience,
    );
  } finally {
    stop();
  }
  if (obs.studio.outputs[output] !== wanted) {
    throw new LiveError('UNAVAILABLE', 'OBS tried and gave up: look at its Settings, under Stream and Output.');
  }
}
