// Other JSON lies about in folders, and there is no field that every vCon has.
import { LiveError } from '@tidings/live';
import type { Accepted } from '../model/accept.ts';
import { arrayNames } from '../model/vcon.ts';

const marks = ['vcon', 'uuid', 'created_at', 'subject', ...arrayNames];

/** `given` is the document before anything was added to it. */
export function refuseOtherJson(form: Accepted['form'], given: unknown): void {
  if (form !== 'unsigned' || marks.some((mark) => Object.hasOwn(Object(given), mark))) return;
  throw new LiveError('INVALID_PARAMS', `This is not a vCon: it has none of ${marks.join(', ')}.`);
}
