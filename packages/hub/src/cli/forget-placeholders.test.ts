import { expect, it } from 'vitest';
import { forgetPlaceholders } from './forget-placeholders.ts';

it('removes only settings of a bundle without a value', () => {
  const env = { TIDINGS_TOKEN: '${user_config.token}', TIDINGS_HUB: 'http://127.0.0.1:1', OTHER: '${user_config.x}' };
  forgetPlaceholders(env);
  expect(env).toEqual({ TIDINGS_HUB: 'http://127.0.0.1:1', OTHER: '${user_config.x}' });
});
