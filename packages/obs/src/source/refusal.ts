// Requests that OBS refused, as messages for the client.
import { type ErrorCode, LiveError } from '@tidings/live';

/** The status codes of obs-websocket that need more than OBS's own comment. */
const meanings: Record<number, { code: ErrorCode; hint: string }> = {
  204: { code: 'UNAVAILABLE', hint: 'This version of OBS cannot do that: update OBS.' },
  207: { code: 'UNAVAILABLE', hint: 'OBS is busy with its scene collection: try again in a moment.' },
  500: { code: 'INVALID_PARAMS', hint: 'It is already running.' },
  501: { code: 'INVALID_PARAMS', hint: 'It is not running.' },
  502: { code: 'INVALID_PARAMS', hint: 'It is already paused.' },
  503: { code: 'INVALID_PARAMS', hint: 'It is not paused.' },
  504: { code: 'UNAVAILABLE', hint: 'This output of OBS is disabled.' },
  505: { code: 'INVALID_PARAMS', hint: 'Studio mode is on: turn it off first with set_studio_mode.' },
  506: { code: 'INVALID_PARAMS', hint: 'Studio mode is off: turn it on first with set_studio_mode.' },
  600: { code: 'RESOURCE_NOT_FOUND', hint: 'List the resources to find its name.' },
  601: {
    code: 'INVALID_PARAMS',
    hint: 'Scenes and inputs share their names: choose another. A removed input keeps its name until OBS shows the scene it was in.',
  },
  604: { code: 'UNAVAILABLE', hint: 'Its present settings in OBS do not allow that: change them there.' },
  605: { code: 'INVALID_PARAMS', hint: 'See list_input_kinds.' },
  607: { code: 'INVALID_PARAMS', hint: 'See list_filter_kinds.' },
};

/** OBS understood the request and refused it. */
export class ObsRefusal extends Error {
  override readonly name = 'ObsRefusal';
  readonly status: number;
  readonly request: string;

  constructor(request: string, status: number, comment: string | undefined) {
    super(comment || `status ${status}`);
    this.request = request;
    this.status = status;
  }

  get isNotReady(): boolean {
    return this.status === 207;
  }

  toLiveError(): LiveError {
    const { code, hint } = meanings[this.status] ?? { code: 'INVALID_PARAMS', hint: '' };
    return new LiveError(code, `OBS declined ${this.request}: ${this.message} ${hint}`.trim());
  }
}
