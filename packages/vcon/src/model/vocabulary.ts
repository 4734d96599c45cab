// The vocabulary of vCons: field names and fixed values. A redaction never masks them, since the document would become
// unreadable; all other text is content.
import type { Json } from './json.ts';
import { momentOf } from './moment.ts';
import { asUuid } from './uuid.ts';
import { analysisSchema, attachmentSchema, dialogSchema, partySchema, vconSchema } from './vcon.ts';

const fields = new Set(
  [vconSchema, partySchema, dialogSchema, analysisSchema, attachmentSchema]
    .flatMap((schema) => Object.keys(schema.shape))
    .concat('must_support', 'appended', 'mimetype', 'session_id', 'event', 'time', 'party', 'role', 'tags'),
);

const keywords = new Set([
  ...dialogSchema.shape.type.options,
  ...listed('transcript summary sentiment translation report tts tags person bot organization'),
  ...listed('base64url base64 json none'),
  ...listed('no-answer congestion failed busy hung-up voicemail-no-message'),
  ...listed('join drop hold unhold mute unmute keydown keyup'),
  ...listed('text/plain text/html text/markdown application/json application/pdf message/rfc822'),
  ...listed('audio/wav audio/x-wav audio/mpeg audio/mp3 audio/x-mp3 audio/mp4 audio/ogg audio/webm'),
  ...listed('video/mp4 video/x-mp4 video/ogg video/webm image/png image/jpeg'),
]);
const keywordFields = new Set(listed('type purpose encoding mediatype mimetype disposition event'));
const timeFields = new Set(listed('created_at updated_at start end time timestamp'));
const numberFields = new Set([
  ...listed('duration parties originator party dialog attachment recordings'),
  ...listed('transferee transferor transfer_target original consultation target_dialog'),
]);

/** Longer fractions of a second, and larger numbers, could be personal data such as phone numbers. */
const longestTime = '2025-10-14T10:30:00.123456789+00:00'.length;
const largestNumber = 1_000_000;

export function isFieldName(key: string): boolean {
  return fields.has(key);
}

/** Whether the field's value is part of the structure, not of the conversation. */
export function isStructure(field: string | undefined, value: Json): boolean {
  if (field === undefined) return false;
  if (typeof value === 'number') return numberFields.has(field) && Math.abs(value) < largestNumber;
  if (typeof value !== 'string') return false;
  if (field === 'uuid') return asUuid(value) !== undefined;
  if (keywordFields.has(field)) return keywords.has(value);
  return timeFields.has(field) && value.length <= longestTime && momentOf(value) !== undefined;
}

function listed(words: string): string[] {
  return words.split(' ');
}
