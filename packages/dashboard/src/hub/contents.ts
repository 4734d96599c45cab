// The contents of resources: the current one, and earlier versions.
import { type KeptVersion, type ListedResource, versionAnswer, versionsAnswer } from '@tidings/client/contract';
import * as z from 'zod/mini';
import { requestJson, request } from './hub-request.ts';

export interface ShownContent {
  type: string;
  /** Undefined if it is not text. */
  text: string | undefined;
  bytes: number;
  etag: string;
}

export function contentPath({ serverId, uri }: Pick<ListedResource, 'serverId' | 'uri'>): string {
  return `/resources/${encodeURIComponent(uri)}?server=${encodeURIComponent(serverId)}`;
}

export async function readContent(
  resource: Pick<ListedResource, 'serverId' | 'uri'>,
  signal: AbortSignal,
): Promise<ShownContent> {
  const { headers, body } = await request(contentPath(resource), { signal });
  const type = headers.get('content-type') ?? 'application/octet-stream';
  const etag = (headers.get('etag') ?? '').replace(/^W\//, '');
  const text = isText(type) ? new TextDecoder().decode(body) : undefined;
  return { type, text, bytes: body.byteLength, etag };
}

function isText(type: string): boolean {
  return /^text\/|json|xml|javascript|yaml|charset=/i.test(type) && !/^image\/(?!svg)/i.test(type);
}

/** The kept versions of a resource, the oldest first. */
export async function readVersions(resource: Pick<ListedResource, 'serverId' | 'uri'>): Promise<KeptVersion[]> {
  return (await requestJson(versionsPath(resource), versionsAnswer)).versions;
}

/** One of them, with its content. */
export async function readVersion(
  resource: Pick<ListedResource, 'serverId' | 'uri'>,
  { version, hash, bytes, mimeTypes }: KeptVersion,
): Promise<ShownContent> {
  const { contents } = await requestJson(`${versionsPath(resource)}&version=${version}`, versionAnswer);
  const [only, ...others] = contents;
  if (only === undefined || others.length > 0) {
    return { type: 'application/json', text: JSON.stringify(contents), bytes, etag: hash };
  }
  const { text } = z.object({ text: z.optional(z.string()) }).parse(only);
  return { type: mimeTypes[0] ?? 'text/plain', text, bytes, etag: hash };
}

function versionsPath({ serverId, uri }: Pick<ListedResource, 'serverId' | 'uri'>): string {
  return `/api/versions?${new URLSearchParams({ uri, server: serverId })}`;
}
