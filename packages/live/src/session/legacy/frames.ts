// Notifications and errors in the form of the 2025 revisions.
import { isJSONRPCErrorResponse, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Watched } from '../../notify/watched.ts';
import { asciiJson } from '../ascii-json.ts';

export function changeNotification({ subject }: Watched): string {
  if (subject.kind === 'list') return `{"jsonrpc":"2.0","method":"notifications/${subject.list}/list_changed"}`;
  return `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":${asciiJson(subject.uri)}}}`;
}

const legacyNotFound = -32002;
const notFoundData = z.object({ code: z.literal('RESOURCE_NOT_FOUND') });

/** The SDK writes "not found" with the code of 2026-07-28 in every era; the 2025 revisions have another one. */
export function withLegacyErrorCode(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message) || !isJSONRPCErrorResponse(message) || !notFoundData.safeParse(message.error.data).success)
    return message;
  return { ...message, error: { ...message.error, code: legacyNotFound } };
}
