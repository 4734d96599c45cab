// One item of a server's list, checked against the protocol's schema and size limits. An invalid item is left
// out; the others are used.
import {
  type Prompt,
  type Resource,
  type ResourceTemplateType as ResourceTemplate,
  type StandardSchemaV1Sync,
  type Tool,
  isSpecType,
  specTypeSchemas,
} from '@modelcontextprotocol/client';
import { shortened } from '@tidings/live/portable';

/** What each kind of list holds. */
export interface ListedItems {
  resources: Resource;
  templates: ResourceTemplate;
  tools: Tool;
  prompts: Prompt;
}

/** The lists that servers have. */
export type ListKind = keyof ListedItems;

export interface ListDefinition<Item> {
  method: string;
  /** The member of the result that holds the items. */
  member: string;
  schema: StandardSchemaV1Sync<unknown, Item>;
  accepts(this: void, given: unknown): given is Item;
  /** The field by which clients refer to an item. */
  keyOf(this: void, item: Item): string;
}

export const lists: { readonly [Kind in ListKind]: ListDefinition<ListedItems[Kind]> } = {
  resources: {
    method: 'resources/list',
    member: 'resources',
    schema: specTypeSchemas.Resource,
    accepts: isSpecType.Resource,
    keyOf: ({ uri }) => uri,
  },
  templates: {
    method: 'resources/templates/list',
    member: 'resourceTemplates',
    schema: specTypeSchemas.ResourceTemplate,
    accepts: isSpecType.ResourceTemplate,
    keyOf: ({ uriTemplate }) => uriTemplate,
  },
  tools: {
    method: 'tools/list',
    member: 'tools',
    schema: specTypeSchemas.Tool,
    accepts: isSpecType.Tool,
    keyOf: ({ name }) => name,
  },
  prompts: {
    method: 'prompts/list',
    member: 'prompts',
    schema: specTypeSchemas.Prompt,
    accepts: isSpecType.Prompt,
    keyOf: ({ name }) => name,
  },
};

/** Clients send the key back: the kit accepts URIs up to this length. */
const limits = { key: 8192, name: 1024, item: 256 * 1024 };

type CheckedItem<Item> = { item: Item; key: string; json: string } | { problem: string };

export function checkItem<Item extends { name: string }>(
  { schema, accepts, keyOf }: ListDefinition<Item>,
  given: unknown,
): CheckedItem<Item> {
  // The item as it came: what the schema makes of it lacks the fields that the SDK does not know.
  if (!accepts(given)) {
    const [issue] = schema['~standard'].validate(given).issues ?? [];
    const path = (issue?.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
    return { problem: `${path || 'an item'} is not valid (${issue?.message ?? 'unknown'}).` };
  }
  const item = given;
  const key = keyOf(item);
  if (key.length > limits.key) return { problem: `${shown(key)} is longer than ${limits.key} characters.` };
  if (item.name.length > limits.name)
    return { problem: `the name ${shown(item.name)} is longer than ${limits.name} characters.` };
  // Half of a surrogate pair can neither be percent-encoded nor sent as UTF-8.
  if (!key.isWellFormed()) return { problem: `${shown(key)} is not well-formed Unicode.` };
  const json = JSON.stringify(item);
  if (json.length > limits.item)
    return { problem: `the definition of ${shown(key)} is larger than ${limits.item / 1024} KB.` };
  return { item, key, json };
}

function shown(text: string): string {
  return JSON.stringify(shortened(text, 60));
}
