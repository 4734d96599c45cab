// Notifications in the form of 2026-07-28: each carries the id of its listen request.
import {
  SERVER_INFO_META_KEY,
  SUBSCRIPTION_ID_META_KEY,
  type Implementation,
  type SubscriptionFilter,
} from '@modelcontextprotocol/server';
import type { Watched } from '../../notify/watched.ts';
import { asciiJson } from '../ascii-json.ts';

export type RequestId = string | number;

const start = '{"jsonrpc":"2.0","method":"notifications/';
const idKey = asciiJson(SUBSCRIPTION_ID_META_KEY);

/** A change notification up to the id of its listen request: the same for all streams. */
export function changeHead({ subject }: Watched): string {
  if (subject.kind === 'list') return `${start}${subject.list}/list_changed","params":{"_meta":{${idKey}:`;
  return `${start}resources/updated","params":{"uri":${asciiJson(subject.uri)},"_meta":{${idKey}:`;
}

/** The rest from the id on: the same for all notifications of one stream. */
export function changeTail(id: RequestId): string {
  return `${asciiJson(id)}}}}`;
}

export function acknowledgement(id: RequestId, notifications: SubscriptionFilter) {
  return {
    jsonrpc: '2.0' as const,
    method: 'notifications/subscriptions/acknowledged' as const,
    params: { notifications, _meta: { [SUBSCRIPTION_ID_META_KEY]: id } },
  };
}

/** The result that ends a listen request gracefully. */
export function completion(id: RequestId, server: Implementation) {
  return {
    jsonrpc: '2.0' as const,
    id,
    result: {
      resultType: 'complete' as const,
      _meta: { [SUBSCRIPTION_ID_META_KEY]: id, [SERVER_INFO_META_KEY]: server },
    },
  };
}
