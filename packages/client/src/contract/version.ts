// The kept versions of a resource, in `GET /api/versions`.
import * as z from 'zod/mini';

export const keptVersion = z.object({
  /** Grows with each version of the resource. */
  version: z.number(),
  /** When the hub first read this content. */
  readAt: z.string(),
  /** Equal contents have equal hashes. */
  hash: z.string(),
  bytes: z.number(),
  mimeTypes: z.array(z.string()),
});
export type KeptVersion = z.infer<typeof keptVersion>;

/** The oldest first. */
export const versionsAnswer = z.object({ serverId: z.string(), uri: z.string(), versions: z.array(keptVersion) });
export type VersionsAnswer = z.infer<typeof versionsAnswer>;

const content = z.union([
  z.looseObject({ uri: z.string(), mimeType: z.optional(z.string()), text: z.string() }),
  z.looseObject({ uri: z.string(), mimeType: z.optional(z.string()), blob: z.string() }),
]);

/** With `&version=`: one version with its contents, as `resources/read` has them. */
export const versionAnswer = z.object({
  serverId: z.string(),
  uri: z.string(),
  ...keptVersion.shape,
  contents: z.array(content),
});
export type VersionAnswer = z.infer<typeof versionAnswer>;
