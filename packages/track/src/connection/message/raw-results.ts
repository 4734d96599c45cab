// Keeps results with members or kinds of content that the SDK does not know. The SDK's client removes such members and
// refuses such content, so the original result travels in the `_meta` of the one that the SDK gets. So does a list of a
// modern server with an invalid item, for which the SDK would refuse the whole page.
import { type JSONRPCMessage, isSpecType } from '@modelcontextprotocol/client';
import { hasOnly } from '@tidings/live/internal';
import { type Fields, isObject } from '@tidings/live/portable';

const rawMetaKey = 'tidings/raw';

/** Serializes to nothing, so that only `asSent` sees it. */
class RawResult {
  readonly result: Fields;

  constructor(result: Fields) {
    this.result = result;
  }

  toJSON(): undefined {
    return undefined;
  }
}

const common = ['type', 'annotations', '_meta'];
const known: Readonly<Record<string, ReadonlySet<string>>> = {
  text: new Set([...common, 'text']),
  image: new Set([...common, 'data', 'mimeType']),
  audio: new Set([...common, 'data', 'mimeType']),
  resource: new Set([...common, 'resource']),
  resource_link: new Set([...common, 'uri', 'name', 'title', 'description', 'mimeType', 'size', 'icons']),
};
const ofAnnotations = new Set(['audience', 'priority', 'lastModified']);
const ofContents = new Set(['uri', 'mimeType', 'text', 'blob', '_meta']);
const ofMessages = new Set(['role', 'content']);
const listed: readonly (readonly [member: string, isValid: (item: unknown) => boolean])[] = [
  ['tools', (item) => isSpecType.Tool(item)],
  ['prompts', (item) => isSpecType.Prompt(item)],
  ['resources', (item) => isSpecType.Resource(item)],
  ['resourceTemplates', (item) => isSpecType.ResourceTemplate(item)],
];

/** Returns the message unchanged, unless the SDK would change or refuse its result. */
export function withRawInMeta(message: JSONRPCMessage): JSONRPCMessage {
  if (!('result' in message)) return message;
  const result: Fields = message.result;
  const { content, messages, contents, structuredContent, _meta = {}, resultType = 'complete' } = result;
  if (!isObject(_meta) || resultType !== 'complete') return message;
  const isOdd = structuredContent !== undefined && !isObject(structuredContent);
  const replacedBy = (members: Fields) => {
    const { resultType: _, ...raw } = result;
    return { ...message, result: { ...result, ...members, _meta: { ..._meta, [rawMetaKey]: new RawResult(raw) } } };
  };
  if (Array.isArray(content)) {
    if (!isOdd && content.every(isKnownBlock)) return message;
    return replacedBy({ content: [], structuredContent: undefined });
  }
  if (Array.isArray(messages)) return messages.every(isKnownMessage) ? message : replacedBy({ messages: [] });
  if (Array.isArray(contents)) return contents.every((each) => isOnly(each, ofContents)) ? message : replacedBy({});
  return result['resultType'] === undefined ? message : withValidItems(result, replacedBy, message);
}

function withValidItems(
  result: Fields,
  replacedBy: (members: Fields) => JSONRPCMessage,
  message: JSONRPCMessage,
): JSONRPCMessage {
  for (const [member, isValid] of listed) {
    const items = result[member];
    if (!Array.isArray(items)) continue;
    const valid = items.filter(isValid);
    return valid.length === items.length ? message : replacedBy({ [member]: valid });
  }
  return message;
}

/** The result as the server sent it. */
export function asSent<Result extends object>(result: Result): Result;
export function asSent(result: object): object {
  const meta = '_meta' in result && isObject(result._meta) ? result._meta : {};
  const raw = meta[rawMetaKey];
  return raw instanceof RawResult ? raw.result : result;
}

function isKnownMessage(message: unknown): boolean {
  return isOnly(message, ofMessages) && isKnownBlock(message['content']);
}

function isKnownBlock(block: unknown): boolean {
  if (!isObject(block) || typeof block['type'] !== 'string') return false;
  const { type, annotations, resource } = block;
  const members = Object.hasOwn(known, type) ? known[type] : undefined;
  if (members === undefined || !hasOnly(block, members)) return false;
  if (annotations !== undefined && !isOnly(annotations, ofAnnotations)) return false;
  return resource === undefined || isOnly(resource, ofContents);
}

function isOnly(value: unknown, members: ReadonlySet<string>): value is Fields {
  return isObject(value) && hasOnly(value, members);
}
