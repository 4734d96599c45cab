import { expect, it } from 'vitest';
import { transformFrom } from './transform.ts';

it('keeps what can be set, and leaves out what follows from the source or is no value', () => {
  const told = { positionX: 3, boundsType: 'OBS_BOUNDS_NONE', cropToBounds: false, width: 640, sourceHeight: 480 };
  expect(transformFrom({ ...told, nested: {}, missing: null })).toEqual({
    positionX: 3,
    boundsType: 'OBS_BOUNDS_NONE',
    cropToBounds: false,
  });
});
