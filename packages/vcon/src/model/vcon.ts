// The data model of a vCon according to the current IETF draft (draft-ietf-vcon-vcon-core). Documents are stored as
// they were given; the schemas only report problems.
import { z } from 'zod';
import { contentFields, contentRules, follows, has, referenceFields, referenceRules, rule } from './content.ts';
import { isObject, type Json } from './json.ts';
import { hasOffset, momentOf } from './moment.ts';
import { asUuid } from './uuid.ts';

/** The four lists of a vCon; everything else is its head. */
export const arrayNames = ['parties', 'dialog', 'analysis', 'attachments'] as const;
export type ArrayName = (typeof arrayNames)[number];

const time = z
  .string()
  .check(({ value, issues }) => {
    const isTime = momentOf(value) !== undefined;
    if (isTime && hasOffset(value)) return;
    const message = isTime
      ? 'has no offset, so it is read as UTC: write Z'
      : 'is not a time as in 2025-10-14T10:30:00Z';
    issues.push({ code: 'custom', message, input: value });
  })
  .describe('RFC 3339 time, such as 2025-10-14T10:30:00Z');
const uuid = z
  .string()
  .refine((text) => asUuid(text) !== undefined, 'is not a UUID')
  .describe('UUID');

const index = z.int('must be an index, counted from 0').min(0, 'must be an index, counted from 0');
const indices = z.union([z.array(index), index], 'must be an index, counted from 0, or a list of such');
/** The parties of each channel or message; null if there is no party. */
const partyIndices = z
  .union(
    [z.array(z.union([index, z.null(), z.array(z.union([index, z.null()]))])), index],
    'must be an index into parties, or a list of such',
  )
  .describe('Index into parties, counted from 0, or a list of such');

export const partySchema = z.looseObject({
  name: z.string().optional(),
  tel: z.string().optional().describe('Telephone number, such as +12025550142'),
  mailto: z.string().optional().describe('E-mail address'),
  sip: z.string().optional().describe('SIP URI'),
  stir: z.string().optional().describe('STIR PASSporT'),
  did: z.string().optional().describe('Decentralised identifier'),
  uuid: uuid.optional(),
  type: z.enum(['person', 'bot', 'organization'], 'must be person, bot or organization').optional(),
  org: z.string().optional(),
  dept: z.string().optional(),
  validation: z.string().optional().describe('How the identity was checked'),
  gmlpos: z.string().optional().describe('Latitude and longitude'),
  civicaddress: z.looseObject({}).optional(),
});

const partyEventSchema = z.looseObject({
  party: index,
  time,
  event: z.enum(
    ['join', 'drop', 'hold', 'unhold', 'mute', 'unmute', 'keydown', 'keyup'],
    'must be join, drop, hold, unhold, mute, unmute, keydown or keyup',
  ),
  button: z.string().optional(),
});

const transferFields = ['transferee', 'transferor', 'transfer_target', 'original', 'consultation', 'target_dialog'];
const withoutContent = new Set<unknown>(['transfer', 'incomplete', 'recording-set']);

export const dialogSchema = z
  .looseObject({
    type: z
      .enum(
        ['recording', 'text', 'transfer', 'incomplete', 'recording-set'],
        'must be recording, text, transfer, incomplete or recording-set',
      )
      .describe('What it is: a recording or a text has content, the others have none'),
    start: time.describe('When it began, RFC 3339'),
    duration: z.number('must be a number of seconds').min(0, 'must not be negative').optional().describe('Seconds'),
    parties: partyIndices.optional(),
    originator: index.optional().describe('Index of the party who began'),
    ...contentFields,
    application: z.string().optional(),
    message_id: z.string().optional(),
    disposition: z
      .enum(
        ['no-answer', 'congestion', 'failed', 'busy', 'hung-up', 'voicemail-no-message'],
        'must be no-answer, congestion, failed, busy, hung-up or voicemail-no-message',
      )
      .optional()
      .describe('Why an incomplete dialog was none'),
    session_id: z
      .union(
        [z.looseObject({ local: z.string(), remote: z.string() }), z.array(z.looseObject({}))],
        'must be an object with local and remote',
      )
      .optional(),
    party_history: z.array(partyEventSchema, 'must be a list of events').optional(),
    transferee: index.optional(),
    transferor: index.optional(),
    transfer_target: indices.optional(),
    original: indices.optional(),
    consultation: indices.optional(),
    target_dialog: indices.optional(),
    recordings: z.array(z.unknown(), 'must be a list').optional(),
  })
  .check(
    follows(
      ...contentRules,
      rule('type', 'a dialog of this type carries no content: leave out body and url', (dialog) => {
        return !withoutContent.has(dialog['type']) || !(has(dialog, 'body') || has(dialog, 'url'));
      }),
      rule('disposition', 'missing, but goes with type incomplete', (dialog) => {
        return dialog['type'] !== 'incomplete' || has(dialog, 'disposition');
      }),
      rule('type', 'must be transfer where fields of a transfer are given', (dialog) => {
        return dialog['type'] === 'transfer' || !transferFields.some((field) => has(dialog, field));
      }),
      rule('type', 'must be recording-set where recordings are given', (dialog) => {
        return dialog['type'] === 'recording-set' || !has(dialog, 'recordings');
      }),
    ),
  );

export const analysisSchema = z
  .looseObject({
    type: z.string().describe('What it is: transcript, summary, sentiment, translation, report, tts, …'),
    vendor: z.string().describe('Who made the analysis'),
    product: z.string().optional(),
    schema: z.string().optional().describe('The format of the body, where the vendor has several'),
    dialog: indices.optional().describe('Index, counted from 0, of the dialog it is about, or a list of such'),
    attachment: indices.optional().describe('Index, counted from 0, of the attachment it is about, or a list of such'),
    ...contentFields,
  })
  .check(follows(...contentRules));

/** Tags are an attachment by convention, not by the draft, so they need no start, party and dialog. */
export function isTags(attachment: unknown): boolean {
  return isObject(attachment) && (attachment['type'] === 'tags' || attachment['purpose'] === 'tags');
}

export const attachmentSchema = z
  .looseObject({
    purpose: z.string().optional().describe('What it is for; "tags" for the tags of the vCon'),
    start: time.optional().describe('When it was exchanged, RFC 3339'),
    party: index.optional().describe('Index of the party who gave it'),
    dialog: indices.optional().describe('Index, counted from 0, of the dialog it belongs to, or a list of such'),
    ...contentFields,
  })
  .check(
    follows(
      ...contentRules,
      ...['start', 'party', 'dialog'].map((field) => {
        return rule(field, 'missing', (attachment) => isTags(attachment) || has(attachment, field));
      }),
    ),
  );

const vconReference = { uuid: uuid.optional(), ...referenceFields };

export const vconSchema = z
  .looseObject({
    uuid: uuid.describe('UUID of the conversation'),
    created_at: time.describe('When the vCon was made, RFC 3339'),
    updated_at: time.optional(),
    vcon: z.string().optional().describe('Version of the format (deprecated)'),
    subject: z.string().optional().describe('What the conversation is about'),
    extensions: z.array(z.string(), 'must be a list of names').optional(),
    critical: z
      .array(z.string(), 'must be a list of names')
      .optional()
      .describe('Extensions without which the vCon must not be processed'),
    redacted: z
      .looseObject({ type: z.string().optional().describe('What was redacted'), ...vconReference })
      .check(
        follows(
          ...referenceRules,
          rule('type', 'missing', (redacted) => has(redacted, 'type') || isEmpty(redacted)),
        ),
      )
      .optional(),
    amended: z
      .looseObject(vconReference)
      .check(follows(...referenceRules))
      .optional(),
    parties: z.array(partySchema).optional(),
    dialog: z.array(dialogSchema).optional(),
    analysis: z.array(analysisSchema).optional(),
    attachments: z.array(attachmentSchema).optional(),
  })
  .check(
    follows(
      rule('amended', 'a vCon is either redacted or amended: leave out one of both', (vcon) => {
        return isEmpty(vcon['redacted']) || (isEmpty(vcon['amended']) && isEmpty(vcon['appended']));
      }),
      ...['redacted', 'amended'].map((field) => {
        return rule(field, 'is empty, so leave it out', (vcon) => !has(vcon, field) || !isEmpty(vcon[field]));
      }),
    ),
  );

/** The fields of a vCon as a whole, also those of earlier versions of the format. */
export const knownFields: readonly string[] = [...Object.keys(vconSchema.shape), 'group', 'must_support', 'appended'];

/** The version of the format that new vCons follow. */
export const formatVersion = '0.4.0';

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === null || (isObject(value) && Object.keys(value).length === 0);
}
