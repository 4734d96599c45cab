// The setting that holds the audio device of an input, by kind of input.

interface DeviceSetting {
  setting: string;
  /** The value if OBS omits the setting, as it does for defaults. Null: no device. */
  byDefault: string | null;
}

const ofSound: DeviceSetting = { setting: 'device_id', byDefault: 'default' };

const deviceSettings: Readonly<Record<string, DeviceSetting>> = {
  alsa_input_capture: ofSound,
  coreaudio_input_capture: ofSound,
  coreaudio_output_capture: ofSound,
  pulse_input_capture: ofSound,
  pulse_output_capture: ofSound,
  wasapi_input_capture: ofSound,
  wasapi_output_capture: ofSound,
  // A camera with its own microphone, unless another one is chosen.
  dshow_input: { setting: 'audio_device_id', byDefault: null },
};

/** Undefined for a kind of input that captures no audio device. */
export function deviceSettingOf(kind: string): DeviceSetting | undefined {
  return deviceSettings[kind];
}
