// The levels of one input over a window: the highest peak, and the mean of the magnitudes.

interface ChannelLevels {
  readonly peak: number;
  /** The sum of all magnitudes in the window. */
  readonly sum: number;
}

export interface MeterWindow {
  readonly count: number;
  readonly channels: readonly ChannelLevels[];
}

export interface MeterContent {
  input: string;
  /** The loudest channel; silence is -100. */
  peakDb: number;
  magnitudeDb: number;
  /** Empty if the input gets no audio: its device is missing, or it is not in use. */
  channels: { peakDb: number; magnitudeDb: number }[];
}

export const emptyWindow: MeterWindow = { count: 0, channels: [] };

/** `levels` has the magnitude and the peak of each channel, as factors. */
export function withLevels({ count, channels }: MeterWindow, levels: readonly (readonly number[])[]): MeterWindow {
  const all = Array.from({ length: Math.max(channels.length, levels.length) }, (_none, index) => {
    const { peak, sum } = channels[index] ?? { peak: 0, sum: 0 };
    const [magnitude = 0, highest = 0] = levels[index] ?? [];
    return { peak: Math.max(peak, highest), sum: sum + magnitude };
  });
  return { count: count + 1, channels: all };
}

export function meterContent(input: string, { count, channels }: MeterWindow): MeterContent {
  const shown = channels.map(({ peak, sum }) => ({ peakDb: decibels(peak), magnitudeDb: decibels(sum / count) }));
  const loudest = (of: 'peakDb' | 'magnitudeDb') => Math.max(silence, ...shown.map((channel) => channel[of]));
  return { input, peakDb: loudest('peakDb'), magnitudeDb: loudest('magnitudeDb'), channels: shown };
}

const silence = -100;

/** Rounded to a tenth: smaller differences are inaudible, and would make every window differ. */
function decibels(factor: number): number {
  return factor <= 0 ? silence : Math.max(silence, Math.round(200 * Math.log10(factor)) / 10);
}
