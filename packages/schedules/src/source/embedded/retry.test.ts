import { LiveError } from '@tidings/live';
import { describe, expect, it } from 'vitest';
import { usualRetries } from '../../model/tries.ts';
import { DeliveryError } from '../destination/delivery-error.ts';
import { afterFailure as after } from './retry.ts';

const mostTries = usualRetries.tries;
const afterFailure = (error: unknown, tries: number) => after(error, tries, usualRetries);

const away = (retryAfterMs?: number) => new DeliveryError('UNAVAILABLE', 'Away.', { isTemporary: true, retryAfterMs });

describe('after a failed delivery', () => {
  it('pauses longer each time, over a few minutes', () => {
    const pauses = Array.from({ length: mostTries - 1 }, (_, index) => afterFailure(away(), index + 1));
    expect(pauses.map((outcome) => (outcome.status === 'retrying' ? outcome.pauseMs : 0))).toEqual([
      5000, 15_000, 45_000, 135_000,
    ]);
  });

  it('gives up after the last try, and says so', () => {
    expect(afterFailure(away(), mostTries)).toEqual({ status: 'failed', reason: 'Given up after 5 tries. Away.' });
  });

  it('pauses and gives up as the destination is set', () => {
    const rules = { tries: 2, pauseMs: 60_000 };
    expect(after(away(), 1, rules)).toMatchObject({ status: 'retrying', pauseMs: 60_000 });
    expect(after(away(), 2, rules)).toEqual({ status: 'failed', reason: 'Given up after 2 tries. Away.' });
    expect(after(away(), 1, { ...rules, tries: 1 })).toMatchObject({ reason: 'Given up after one try. Away.' });
  });

  it('waits as long as the server asks, within bounds, and never less than its own pause', () => {
    expect(afterFailure(away(60_000), 1)).toMatchObject({ pauseMs: 60_000 });
    expect(afterFailure(away(1), 1)).toMatchObject({ pauseMs: 5000 });
    expect(afterFailure(away(1e12), 1)).toMatchObject({ pauseMs: 3_600_000 });
  });

  it('gives up at once where trying again cannot help', () => {
    const refused = new DeliveryError('INVALID_PARAMS', 'No.', { isTemporary: false, retryAfterMs: 5000 });
    expect(afterFailure(refused, 1)).toEqual({ status: 'failed', reason: 'No.' });
    expect(afterFailure(new LiveError('INVALID_PARAMS', 'No.'), 1)).toEqual({ status: 'failed', reason: 'No.' });
  });

  it('tries again after a surprise, and keeps its text to itself', () => {
    const outcome = afterFailure(new TypeError('secret detail'), 1);
    expect(outcome).toMatchObject({ status: 'retrying', reason: 'The notification could not be sent.' });
  });
});
