// What all packages of this project use of texts, errors and collections, pages included: needs neither Node nor the
// SDK. For the packages of this project only: it may change in any version.
export { BoundedMap, BoundedSet } from './portable/bounded-map.ts';
export { splitMark, withoutMark } from './portable/byte-order-mark.ts';
export { counted } from './portable/counted.ts';
export { decodedIfValid } from './portable/decoded-if-valid.ts';
export { responseCode, systemCode } from './portable/error-code.ts';
export { asError, messageOf } from './portable/error-text.ts';
export { isEventStream } from './portable/is-event-stream.ts';
export type { Fields } from './portable/is-object.ts';
export { isObject } from './portable/is-object.ts';
export { logLevels } from './portable/log-levels.ts';
export type { Json, JsonObject } from './portable/parsed-json.ts';
export { parsedJson } from './portable/parsed-json.ts';
export { parsedUrl } from './portable/parsed-url.ts';
export { modernVersion, protocolOf } from './portable/protocol-version.ts';
export { shortLine } from './portable/short-line.ts';
export { shortened, startOf } from './portable/shortened.ts';
export { sortedJson } from './portable/sorted-json.ts';
export { visibleJson, visibleText } from './portable/visible-text.ts';
export { hasCredentials, isWebUrl, webAddress } from './portable/web-address.ts';
