// Tools for the entries of a vCon's arrays: add, update and remove, the same for all four.
import type { LiveServer, ToolResult } from '@tidings/live';
import { toolArguments } from '@tidings/live/internal';
import { z } from 'zod';
import { addEntry, removeEntry, updateEntry } from '../model/edits.ts';
import { type JsonObject, isList, isObject } from '../model/json.ts';
import { type ArrayName, analysisSchema, attachmentSchema, dialogSchema, partySchema } from '../model/vcon.ts';
import { type Access, type AccessFor, isForWriters } from './access.ts';
import { changed, done } from './answer.ts';
import { fieldHints } from './field-hints.ts';
import { uuidIn, whichVcon } from './which-vcon.ts';

interface EntryKind {
  array: ArrayName;
  /** The name of the entry in sentences. */
  called: string;
  schema: z.ZodObject;
  /** A sentence about other entries' indexes after a removal. */
  onRemoval: string;
  /** Whether an entry has a resource of its own. */
  isAddressed: boolean;
}

const placeholder = 'An empty one stays in its place, so that the indices of the others still hold.';
const movesUp = 'Those after it move up by one.';

const kinds: Record<'party' | 'dialog' | 'analysis' | 'attachment', EntryKind> = {
  party: { array: 'parties', called: 'a party', schema: partySchema, onRemoval: placeholder, isAddressed: false },
  dialog: { array: 'dialog', called: 'a dialog', schema: dialogSchema, onRemoval: placeholder, isAddressed: true },
  analysis: {
    array: 'analysis',
    called: 'an analysis',
    schema: analysisSchema,
    onRemoval: movesUp,
    isAddressed: false,
  },
  attachment: {
    array: 'attachments',
    called: 'an attachment',
    schema: attachmentSchema,
    onRemoval: movesUp,
    isAddressed: true,
  },
};

const index = z.int().min(0).describe('Its place, counted from 0.');
const output = changed.extend({
  index: z.number().describe('The place of the entry.'),
  count: z.number().describe('How many entries there are now.'),
  updated_at: z.unknown(),
});

export function addEntryTools(server: LiveServer, accessFor: AccessFor): void {
  for (const [name, kind] of Object.entries(kinds)) addToolsFor(server, accessFor, name, kind);
}

function addToolsFor(server: LiveServer, accessFor: AccessFor, name: string, kind: EntryKind): void {
  const { array, called, onRemoval } = kind;
  const object = z.looseObject({});

  server.tool(
    `add_${name}`,
    {
      title: `Add ${called}`,
      description: `Adds ${called} to a vCon, after those that are there. Answers with its index.`,
      input: toolArguments({ ...whichVcon, [name]: object.meta(fieldHints(kind.schema)) }),
      output,
      visibleTo: isForWriters(accessFor),
      annotations: { destructiveHint: false },
    },
    (args, { caller }) => {
      const entry = objectIn(args, name);
      return edit(accessFor(caller), args, kind, (before) => {
        const { document, index } = addEntry(before, array, entry);
        return { document, result: index };
      });
    },
  );

  server.tool(
    `update_${name}`,
    {
      title: `Change ${called}`,
      description: `Changes fields of ${called} of a vCon; null removes one, other fields stay.`,
      input: toolArguments({
        ...whichVcon,
        index,
        [name]: object.describe(`The fields to change, as in add_${name}.`),
      }),
      output,
      visibleTo: isForWriters(accessFor),
      annotations: { destructiveHint: true, idempotentHint: true },
    },
    (args, { caller }) => {
      const changes = objectIn(args, name);
      return edit(accessFor(caller), args, kind, (before) => ({
        document: updateEntry(before, array, args.index, changes),
        result: args.index,
      }));
    },
  );

  server.tool(
    `remove_${name}`,
    {
      title: `Remove ${called}`,
      description: `Removes ${called} from a vCon. ${onRemoval}`,
      input: toolArguments({ ...whichVcon, index }),
      output,
      visibleTo: isForWriters(accessFor),
      annotations: { destructiveHint: true },
    },
    (args, { caller }) =>
      edit(accessFor(caller), args, { ...kind, isAddressed: false }, (before) => ({
        document: removeEntry(before, array, args.index),
        result: args.index,
      })),
  );
}

/** `change` returns the index of the entry it is about. */
async function edit(
  access: Access,
  args: Parameters<typeof uuidIn>[0],
  { array, isAddressed }: EntryKind,
  change: (before: JsonObject) => { document: JsonObject; result: number },
): Promise<ToolResult> {
  const uuid = await access.permitted(uuidIn(args));
  const { document, result: index, warnings } = await access.writable.change(uuid, change);
  const list = document[array];
  const count = isList(list) ? list.length : 0;
  const parts = isAddressed ? [array, index] : [array];
  return done(uuid, { index, count, updated_at: document['updated_at'], warnings }, ...parts);
}

function objectIn(args: object, name: string): JsonObject {
  const value: unknown = Reflect.get(args, name);
  if (isObject(value)) return value;
  throw new TypeError(`The schema allows only an object for ${name}.`);
}
