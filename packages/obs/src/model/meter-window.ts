// The levels of one input over a window: the highest peak, and the mean of the magnitudes.

interface ChannelLevels {
  readonly peak: number;
  /** Of all magnitudes in the window. */
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
  /** None where the input gets no sound: its device is missing, or it is not used. */
  channels: { peakDb: number; magnitudeDb: number }[];
}

export const emptyWindow: MeterWindow = { count: 0, channels: [] };

/** `levels` has for each channel its magnitude and its peak, as factors. */
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

/** To a tenth: finer differences cannot be heard, and would make every window differ. */
function decibels(factor: number): number {
  return factor <= 0 ? silence : Math.max(silence, Math.round(200 * Math.log10(factor)) / 10);
}
