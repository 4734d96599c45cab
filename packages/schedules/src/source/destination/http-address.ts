// The address of a receiver, checked at the start. Errors do not contain it: it may hold a secret.
import { LiveError } from '@tidings/live';
import { webAddress } from '@tidings/live/portable';

/** `what` is the subject of a sentence, such as `The address of ntfy`. */
export function httpAddress(what: string, text: string, example: string): URL {
  return webAddress(text, (fault) => {
    const problem =
      fault === 'form' ? `must be an http or https URL. Example: ${example}` : 'may not hold a user name or a password';
    return new LiveError('INVALID_PARAMS', `${what} ${problem}.`);
  });
}
