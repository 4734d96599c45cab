// Makes responses of both eras comparable, by removing the fields that differ between eras.
import type { Era } from '@tidings/live/testing';
import type { WireAnswer } from '../support/wire/wire-client.ts';

export type Asked = readonly [method: string, params?: Record<string, unknown>];

type Fields = Record<string, unknown>;

const legacyNotFound = -32002;
const invalidParams = -32602;
const serverInfoKey = 'io.modelcontextprotocol/serverInfo';

/** The introduction of either era in one shape. */
export function introduced({ result }: WireAnswer): { capabilities: unknown; [field: string]: unknown } {
  const { serverInfo, instructions, capabilities, _meta } = Object(result);
  return { serverInfo: serverInfo ?? Object(_meta)[serverInfoKey], instructions, capabilities };
}

export function comparable([method]: Asked, answer: WireAnswer, era: Era): unknown {
  if (answer.error !== undefined) {
    const { code, ...error } = fields(answer.error);
    return { error: { ...error, code: era === 'modern' && code === legacyNotFound ? invalidParams : code } };
  }
  // The hub sets the time for which a list may be cached; for contents it passes the server's on.
  const { resultType: _type, ttlMs, cacheScope, _meta, ...result } = fields(answer.result);
  const { [serverInfoKey]: _info, ...meta } = fields(_meta);
  const hints =
    method === 'resources/read' && era === 'modern' ? { ttlMs: ttlMs ?? 0, cacheScope: cacheScope ?? 'private' } : {};
  const tools = method === 'tools/list' && era === 'modern' ? { tools: withoutExecution(result['tools']) } : {};
  return JSON.parse(
    withoutTime(
      JSON.stringify({
        ...result,
        ...tools,
        ...hints,
        ...(_meta !== undefined && Object.keys(meta).length > 0 && { _meta: meta }),
      }),
    ),
  );
}

/** 2026-07-28 has no such field. */
function withoutExecution(tools: unknown): unknown {
  if (!Array.isArray(tools)) return tools;
  return tools.map((tool) => {
    const { execution: _execution, ...rest } = fields(tool);
    return rest;
  });
}

/** Removes times, also in base64 texts, because some servers put the current time into results. */
function withoutTime(json: string): string {
  const plain = json.replaceAll(/"blob":"([\w+/=]+)"/g, (_, blob: string) => {
    return `"blob":${JSON.stringify(Buffer.from(blob, 'base64').toString('latin1'))}`;
  });
  return plain.replaceAll(/\d{1,2}:\d{2}:\d{2}( [AP]M)?/g, 'now').replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.now]+Z/g, 'now');
}

function fields(value: unknown): Fields {
  return { ...Object(value) };
}
