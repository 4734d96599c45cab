import { LiveError } from '@tidings/live';
import { describe, expect, it } from 'vitest';
import { DeliveryError } from '../destination/delivery-error.ts';
import { afterFailure } from './retry.ts';

const rules = { tries: 4, pauseMs: 5000 };
const hourMs = 3_600_000;
const temporary = (retryAfterMs?: number) =>
  new DeliveryError('UNAVAILABLE', 'ntfy does not answer.', { isTemporary: true, retryAfterMs });

describe('afterFailure', () => {
  it('triples the pause with each attempt', () => {
    const pauses = [1, 2, 3].map((tries) => afterFailure(temporary(), tries, rules));
    expect(pauses).toMatchObject([{ pauseMs: 5000 }, { pauseMs: 15_000 }, { pauseMs: 45_000 }]);
  });

  it('waits as long as the receiver asks, up to an hour', () => {
    expect(afterFailure(temporary(60_000), 1, rules)).toMatchObject({ status: 'retrying', pauseMs: 60_000 });
    expect(afterFailure(temporary(1000), 1, rules)).toMatchObject({ pauseMs: 5000 });
    expect(afterFailure(temporary(10 * hourMs), 1, rules)).toMatchObject({ pauseMs: hourMs });
  });

  it('gives up after the last attempt, with the number of attempts', () => {
    const reasonAfter = (tries: number) => afterFailure(temporary(), tries, { ...rules, tries });
    expect(reasonAfter(4)).toEqual({ status: 'failed', reason: 'Given up after 4 tries. ntfy does not answer.' });
    expect(reasonAfter(1)).toEqual({ status: 'failed', reason: 'Given up after one try. ntfy does not answer.' });
  });

  it('does not retry a refusal', () => {
    const refusal = new DeliveryError('INVALID_PARAMS', 'The topic is reserved.', { isTemporary: false });
    expect(afterFailure(refusal, 1, rules)).toEqual({ status: 'failed', reason: 'The topic is reserved.' });
    expect(afterFailure(new LiveError('INVALID_PARAMS', 'Too long.'), 1, rules)).toMatchObject({ status: 'failed' });
  });

  it('retries after an unexpected error, whose text is not recorded', () => {
    const outcome = afterFailure(new Error('connect https://secret@ntfy.example'), 1, rules);
    expect(outcome).toMatchObject({ status: 'retrying', reason: 'The notification could not be sent.' });
  });
});
