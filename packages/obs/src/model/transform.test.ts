import { expect, it } from 'vitest';
import { transformFrom } from './transform.ts';

it('keeps settable fields, and omits derived and invalid ones', () => {
  const told = { positionX: 3, boundsType: 'OBS_BOUNDS_NONE', cropToBounds: false, width: 640, sourceHeight: 480 };
  expect(transformFrom({ ...told, nested: {}, missing: null })).toEqual({
    positionX: 3,
    boundsType: 'OBS_BOUNDS_NONE',
    cropToBounds: false,
  });
});
