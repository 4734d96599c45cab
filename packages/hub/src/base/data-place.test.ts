import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { absolutePlace, isDatabase, shownPlace } from './data-place.ts';

describe('the data place', () => {
  it.each(['postgres://localhost/tidings', 'postgresql://user@db.example/x'])('%s is a database', (place) => {
    expect(isDatabase(place)).toBe(true);
    expect(absolutePlace(place)).toBe(place);
  });

  it.each(['data', './postgres', '/var/lib/tidings'])('%s is a folder', (place) => {
    expect(isDatabase(place)).toBe(false);
    expect(absolutePlace(place)).toBe(resolve(place));
  });

  it.each([
    ['postgres://me:secret@db/x', 'postgres://me:…@db/x'],
    ['postgres://me:se@cret@db/x', 'postgres://me:…@db/x'],
    ['postgres://db/x?user=me&password=secret', 'postgres://db/x?user=me&password=…'],
    ['/data/a:b@c', '/data/a:b@c'],
  ])('%s is shown without its password', (place, shown) => {
    expect(shownPlace(place)).toBe(shown);
  });
});
