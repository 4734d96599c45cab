// A URI as it may appear in a sentence for a model. Servers choose their URIs, so one may contain line breaks
// and sentences. Needs no Node.

/** Longer ones are cut, and end in a character that no URI contains. */
export const longestPlainUri = 2048;
export const cutMark = '…';

/** RFC 3986: unreserved, reserved, and an escape. All else is encoded. */
const illegal = /%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+/g;

/** Percent-encodes, as UTF-8, the characters that RFC 3986 does not allow in a URI; a legal URI stays as it is. */
export function plainUri(uri: string): string {
  return shortPlainUri(uri, longestPlainUri);
}

/** The same, with at most `longest` characters before the mark of a cut. */
export function shortPlainUri(uri: string, longest: number): string {
  const isLong = uri.length > longest;
  const plain = (isLong ? uri.slice(0, longest) : uri).replaceAll(illegal, encoded);
  if (!isLong && plain.length <= longest) return plain;
  // The cut must not split an escape.
  return `${plain.slice(0, longest).replace(/%[0-9A-Fa-f]?$/, '')}${cutMark}`;
}

/** Half a surrogate pair has no UTF-8. */
function encoded(text: string): string {
  return text === '%' ? '%25' : encodeURIComponent(text.toWellFormed());
}
