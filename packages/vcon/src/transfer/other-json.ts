// Tells vCons from other JSON files, which folders may contain: no field is required in every vCon.
import { LiveError } from '@tidings/live';
import type { Accepted } from '../model/accept.ts';
import { arrayNames } from '../model/vcon.ts';

const marks = ['vcon', 'uuid', 'created_at', 'subject', ...arrayNames];

/** `given`: the document before fields were added. */
export function refuseOtherJson(form: Accepted['form'], given: unknown): void {
  if (form !== 'unsigned' || marks.some((mark) => Object.hasOwn(Object(given), mark))) return;
  throw new LiveError('INVALID_PARAMS', `This is not a vCon: it has none of ${marks.join(', ')}.`);
}
