import { describe, expect, it } from 'vitest';
import { emptyWindow, meterContent, withLevels } from './meter-window.ts';

describe('the levels of an input over a window', () => {
  it('are the highest peak and the mean magnitude of each channel, and the loudest channel', () => {
    const quiet = withLevels(emptyWindow, [
      [0.1, 0.5],
      [0.01, 0.1],
    ]);
    const loud = withLevels(quiet, [
      [0.3, 0.25],
      [0.01, 1],
    ]);
    expect(meterContent('Mic', loud)).toEqual({
      input: 'Mic',
      peakDb: 0,
      magnitudeDb: -14,
      channels: [
        { peakDb: -6, magnitudeDb: -14 },
        { peakDb: 0, magnitudeDb: -40 },
      ],
    });
  });

  it('are silence without sound, and never below it', () => {
    expect(meterContent('Mic', emptyWindow)).toEqual({
      input: 'Mic',
      peakDb: -100,
      magnitudeDb: -100,
      channels: [],
    });
    const faint = withLevels(emptyWindow, [[0, 1e-9]]);
    expect(meterContent('Mic', faint).channels).toEqual([{ peakDb: -100, magnitudeDb: -100 }]);
  });

  it('include a channel that appeared within the window', () => {
    const stereo = withLevels(withLevels(emptyWindow, [[1, 1]]), [
      [1, 1],
      [1, 1],
    ]);
    expect(meterContent('Mic', stereo).channels).toEqual([
      { peakDb: 0, magnitudeDb: 0 },
      { peakDb: 0, magnitudeDb: -6 },
    ]);
  });
});
