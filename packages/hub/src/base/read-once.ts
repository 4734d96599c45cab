// Reads a resource through a long-lived client. The SDK's `readResource` remembers every URI that was ever read, even
// without its cache, and callers choose the URIs.
import type { Client, ReadResourceResult, RequestOptions } from '@modelcontextprotocol/client';

interface ReadParams extends Record<string, unknown> {
  uri: string;
}

export function readOnce(client: Client, params: ReadParams, options?: RequestOptions): Promise<ReadResourceResult> {
  return client.request({ method: 'resources/read', params }, options);
}
