import { describe, expect, it } from 'vitest';
import { sseEvent, sseRetry } from './sse-event.ts';

describe('sseEvent', () => {
  it('is the data and a blank line', () => {
    expect(sseEvent('{}')).toBe('data: {}\n\n');
  });

  it('begins with the id and the type, if given', () => {
    expect(sseEvent('{}', { id: '7', event: 'message' })).toBe('id: 7\nevent: message\ndata: {}\n\n');
  });
});

it('the time until the next connection is an event without data', () => {
  expect(sseRetry(500)).toBe('retry: 500\n\n');
});
