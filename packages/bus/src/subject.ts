// Topics as NATS subjects. A topic is any text and may be long, but a subject has dots, wildcards and a limit, so the
// subject is a digest. All spellings of a URI have one subject, since a change may be announced under any of them; two
// topics with one subject only mean that a process is notified of both.
import { decodedIfValid } from '@tidings/live/portable';
import { digestOf } from '@tidings/live/internal';

const prefix = 'tidings';
/** 128 bits: a collision is very unlikely, and only causes an unnecessary notification. */
const digestLength = 22;

/** `space` separates data that do not belong together, such as the schemas of two stores. */
export function subjectOf(space: string, topic: string): string {
  return `${spaceOf(space)}.${digest(plainSpelling(topic))}`;
}

/** The subject for changes with too many topics to publish one by one. */
export function manySubject(space: string): string {
  return `${spaceOf(space)}.many`;
}

function spaceOf(space: string): string {
  return `${prefix}.${/^[\w-]{1,64}$/.test(space) ? space : digest(space)}`;
}

function digest(text: string): string {
  return digestOf(text).slice(0, digestLength);
}

function plainSpelling(topic: string): string {
  const decoded = topic.replace(/(?:%[\dA-Fa-f]{2})+/g, decodedIfValid);
  return decoded.normalize('NFC').toLowerCase().replace(/\/$/, '');
}
