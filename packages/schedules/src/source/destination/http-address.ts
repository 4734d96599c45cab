// The address of a receiver, checked at the start. Errors do not contain it: it may hold a secret.
import { LiveError } from '@tidings/live';
import { parsedUrl } from '@tidings/live/portable';

/** `what` is the subject of a sentence, such as `The address of ntfy`. */
export function httpAddress(what: string, text: string, example: string): URL {
  const url = parsedUrl(text);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new LiveError('INVALID_PARAMS', `${what} must be an http or https URL. Example: ${example}.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new LiveError('INVALID_PARAMS', `${what} may not hold a user name or a password.`);
  }
  return url;
}
