// `obs://stats`: performance of OBS. OBS never announces it, so it is requested on each read and, while watched,
// regularly.
import { z } from 'zod';
import type { Obs } from './source/obs.ts';

const number = z.number().nullish();
const general = z.object({
  activeFps: number,
  cpuUsage: number,
  memoryUsage: number,
  availableDiskSpace: number,
  averageFrameRenderTime: number,
  renderSkippedFrames: number,
  renderTotalFrames: number,
  outputSkippedFrames: number,
  outputTotalFrames: number,
});
const output = z.object({
  outputActive: z.boolean(),
  outputReconnecting: z.boolean().nullish(),
  outputPaused: z.boolean().nullish(),
  outputTimecode: z.string().nullish(),
  outputDuration: number,
  outputBytes: number,
  outputCongestion: number,
  outputSkippedFrames: number,
  outputTotalFrames: number,
});

export async function readStats(obs: Obs) {
  const [all, stream, record] = await Promise.all([
    obs.call('GetStats').then((data) => general.parse(data)),
    obs.call('GetStreamStatus').then((data) => output.parse(data)),
    obs.call('GetRecordStatus').then((data) => output.parse(data)),
  ]);
  return {
    fps: rounded(all.activeFps),
    cpuPercent: rounded(all.cpuUsage),
    memoryMb: rounded(all.memoryUsage),
    freeDiskMb: rounded(all.availableDiskSpace),
    frameRenderMs: rounded(all.averageFrameRenderTime),
    // Frames that were dropped because rendering took too long, and because encoding did.
    rendering: { droppedFrames: all.renderSkippedFrames ?? null, frames: all.renderTotalFrames ?? null },
    encoding: { droppedFrames: all.outputSkippedFrames ?? null, frames: all.outputTotalFrames ?? null },
    stream: {
      isActive: stream.outputActive,
      isReconnecting: stream.outputReconnecting ?? false,
      timecode: stream.outputTimecode ?? null,
      durationMs: stream.outputDuration ?? null,
      bytes: stream.outputBytes ?? null,
      congestion: rounded(stream.outputCongestion),
      droppedFrames: stream.outputSkippedFrames ?? null,
      frames: stream.outputTotalFrames ?? null,
    },
    record: {
      isActive: record.outputActive,
      isPaused: record.outputPaused ?? false,
      timecode: record.outputTimecode ?? null,
      durationMs: record.outputDuration ?? null,
      bytes: record.outputBytes ?? null,
    },
  };
}

function rounded(value: number | null | undefined): number | null {
  return value === null || value === undefined ? null : Math.round(value * 10) / 10;
}
