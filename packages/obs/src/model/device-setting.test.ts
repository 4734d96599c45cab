import { expect, it } from 'vitest';
import { deviceSettingOf } from './device-setting.ts';

it.each(['pulse_input_capture', 'wasapi_output_capture', 'coreaudio_input_capture'])(
  'a sound input without a chosen device has the default one: %s',
  (kind) => expect(deviceSettingOf(kind)).toEqual({ setting: 'device_id', byDefault: 'default' }),
);

it('a camera has no sound device until one is chosen', () => {
  expect(deviceSettingOf('dshow_input')).toEqual({ setting: 'audio_device_id', byDefault: null });
});

it.each(['color_source_v3', '', 'nope'])('other kinds capture no sound device: %j', (kind) => {
  expect(deviceSettingOf(kind)).toBeUndefined();
});
