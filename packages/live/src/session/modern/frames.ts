// Notifications as 2026-07-28 writes them: each carries the id of the listen request it answers.
import {
  SERVER_INFO_META_KEY,
  SUBSCRIPTION_ID_META_KEY,
  type Implementation,
  type SubscriptionFilter,
} from '@modelcontextprotocol/server';
import type { Watched } from '../../notify/watched.ts';
import { asciiJson } from '../ascii-json.ts';

export type RequestId = string | number;

export function changeNotification(watched: Watched, idJson: string): string {
  const { subject } = watched;
  const meta = `"_meta":{${asciiJson(SUBSCRIPTION_ID_META_KEY)}:${idJson}}`;
  if (subject.kind === 'list') {
    return `{"jsonrpc":"2.0","method":"notifications/${subject.list}/list_changed","params":{${meta}}}`;
  }
  return `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":${watched.uriJson(asciiJson)},${meta}}}`;
}

export function acknowledgement(id: RequestId, notifications: SubscriptionFilter) {
  return {
    jsonrpc: '2.0' as const,
    method: 'notifications/subscriptions/acknowledged' as const,
    params: { notifications, _meta: { [SUBSCRIPTION_ID_META_KEY]: id } },
  };
}

/** The graceful end of a listen request. */
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
