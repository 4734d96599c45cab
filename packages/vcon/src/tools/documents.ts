// Tools for a vCon as a whole: create, get, update, delete.
import { type LiveServer, LiveError } from '@tidings/live';
import { toolArguments } from '@tidings/live/internal';
import { z } from 'zod';
import { updateFields } from '../model/edits.ts';
import { type JsonObject, isObject } from '../model/json.ts';
import { base } from '../resources/conversation-base.ts';
import { type AccessFor, isForWriters } from './access.ts';
import { answer, changed, done, answerTooLarge, vconUri } from './answer.ts';
import { newDocument, refuseMisspelt } from './new-document.ts';
import { summaryOf } from './summary.ts';
import { uuidIn, whichVcon } from './which-vcon.ts';

/** Hints for models. The actual validation, with its messages, is in `accept`. */
const text = (description: string) => z.unknown().meta({ type: 'string', description });
const entries = (description: string) => z.unknown().meta({ type: 'array', items: { type: 'object' }, description });

const newVcon = z.looseObject({
  uuid: text('Leave it out for a new one. The same vCon with the same UUID again changes nothing.').optional(),
  created_at: text('RFC 3339, such as 2025-10-14T10:30:00Z. Default: now.').optional(),
  subject: text('What the conversation is about.').optional(),
  parties: entries('Who took part: name, tel, mailto, …').optional(),
  dialog: entries('What was said: type, start, parties, body, encoding, …').optional(),
  analysis: entries('What was made of it: type, vendor, body, encoding, …').optional(),
  attachments: entries('What was attached. One of type "tags" with a body of ["key:value"] holds the tags.').optional(),
});

export function addDocumentTools(server: LiveServer, accessFor: AccessFor): void {
  addCreate(server, accessFor);
  addGet(server, accessFor);
  server.tool(
    'update_vcon',
    {
      title: 'Change fields of a vCon',
      description:
        'Changes top-level fields such as subject; null removes one. Give them as they are, or under "updates". ' +
        'Parties, dialog, analysis and attachments have tools of their own.',
      input: z.looseObject({
        ...whichVcon,
        updates: z.looseObject({}).optional().describe('The fields to change, with their new values.'),
      }),
      output: changed.extend({ updated_at: z.unknown() }),
      visibleTo: isForWriters(accessFor),
      annotations: { destructiveHint: true, idempotentHint: true },
    },
    async (args, { caller }) => {
      const { uuid: _, vcon_uuid: __, updates = {}, ...fields } = args;
      const changes: unknown = { ...fields, ...updates };
      if (!isObject(changes) || Object.keys(changes).length === 0) throw nothingToChange();
      refuseMisspelt(Object.keys(changes).filter((name) => changes[name] !== null));
      const access = accessFor(caller);
      const uuid = await access.permitted(uuidIn(args));
      const { document, warnings } = await access.writable.change(uuid, (before) => ({
        document: updateFields(before, changes),
        result: undefined,
      }));
      return done(uuid, { updated_at: document['updated_at'], warnings }, 'metadata');
    },
  );
  server.tool(
    'delete_vcon',
    {
      title: 'Delete a vCon',
      description: 'Deletes a vCon with everything made from it, for good.',
      input: toolArguments(whichVcon),
      output: z.object({ success: z.literal(true), uuid: z.string() }),
      visibleTo: isForWriters(accessFor),
      annotations: { destructiveHint: true, idempotentHint: true },
    },
    async (args, { caller }) => {
      const access = accessFor(caller);
      const uuid = await access.permitted(uuidIn(args));
      await access.writable.remove(uuid);
      const links = [{ uri: `${base}/recent/ids`, name: 'Recent conversations, in short' }];
      return answer({ success: true, uuid }, { budget: access.budget, less: '', links });
    },
  );
}

function addCreate(server: LiveServer, accessFor: AccessFor): void {
  server.tool(
    'create_vcon',
    {
      title: 'Create a vCon',
      description:
        'Keeps a conversation as a vCon. Give its own fields, also those that are not named here: all are kept as ' +
        'they are. What is odd about it comes back as warnings.',
      input: newVcon,
      output: changed.extend({ created: z.boolean().describe('False if it was there already.') }),
      visibleTo: isForWriters(accessFor),
      annotations: { destructiveHint: false, idempotentHint: true },
    },
    async ({ vcon_uuid, ...args }, { caller }) => {
      const given: unknown = vcon_uuid === undefined ? args : { uuid: vcon_uuid, ...args };
      if (!isObject(given)) throw nothingToChange();
      const fields = newDocument(given);
      const access = accessFor(caller);
      await (typeof fields['uuid'] === 'string' ? access.permitted(fields['uuid']) : access.permittedAll());
      const { uuid, isNew, warnings } = await access.writable.create(fields);
      return done(uuid, { created: isNew, warnings });
    },
  );
}

const less = (uuid: string) =>
  `Use response_format "summary" or "metadata", or read one part, such as ${vconUri(uuid, 'dialog', 0)}.`;

function addGet(server: LiveServer, accessFor: AccessFor): void {
  server.tool(
    'get_vcon',
    {
      title: 'Get a vCon',
      description:
        'One vCon: "full", "summary" (who, how much of what, tags and summaries) or "metadata" (all but its content).',
      input: toolArguments({
        ...whichVcon,
        response_format: z.enum(['full', 'summary', 'metadata']).optional().describe('Default: full.'),
      }),
      output: z.object({ uuid: z.string(), response_format: z.string(), vcon: z.looseObject({}) }),
      annotations: { readOnlyHint: true },
    },
    async ({ response_format = 'full', ...args }, { caller }) => {
      const access = accessFor(caller);
      const uuid = await access.permitted(uuidIn(args));
      const reader = access.reader(response_format === 'full' ? access.budget : Number.POSITIVE_INFINITY);
      const read: Record<typeof response_format, () => Promise<JsonObject>> = {
        full: async () => JSON.parse(await reader.document(uuid).catch(orLess(uuid))),
        summary: () => summaryOf(uuid, reader),
        metadata: () => reader.head(uuid),
      };
      const vcon = await read[response_format]();
      const links = [{ uri: vconUri(uuid), name: uuid }];
      return answer({ uuid, response_format, vcon }, { budget: access.budget, less: less(uuid), links });
    },
  );
}

function orLess(uuid: string): (error: unknown) => never {
  return (error) => {
    const isTooLarge = error instanceof LiveError && error.code === 'RESPONSE_TOO_LARGE';
    throw isTooLarge ? answerTooLarge(less(uuid)) : error;
  };
}

function nothingToChange(): LiveError {
  return new LiveError('INVALID_PARAMS', 'There is nothing to change: give the fields with their new values.');
}
