// The stored form of the login at one server. All of it is secret.
import { type AuthorizationServerMetadata, specTypeSchemas } from '@modelcontextprotocol/client';
import { z } from 'zod';

const metadata = z.custom<AuthorizationServerMetadata>(
  (value) => !('issues' in Object(specTypeSchemas.OAuthMetadata['~standard'].validate(value))),
);

/** The registration of this client at one authorization server. */
const registration = z.object({
  issuer: z.string(),
  /** As returned by the authorization server. */
  information: z.looseObject({
    client_id: z.string(),
    client_secret: z.string().optional(),
    client_secret_expires_at: z.number().optional(),
    /** The scope that the client may ask for. */
    scope: z.string().optional(),
  }),
  /** The callback address of the registration. */
  redirectUri: z.string(),
});

const tokens = z.object({
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  /** The granted scope, or the requested one if the answer named none. */
  scope: z.string().optional(),
  issuer: z.string(),
  /** Milliseconds since the epoch. */
  obtainedAt: z.number(),
  expiresAt: z.number().optional(),
});

/** The authorization server that issued the tokens: they are renewed and revoked only there. */
const authorizationServer = z.object({
  url: z.string(),
  metadata: metadata.optional(),
  /** The `resource` of the server's metadata. */
  resource: z.string().optional(),
});

export const storedLogin = z.object({
  /** The key of the server: see login-key.ts. */
  url: z.string(),
  /** A new id for each login of a person: a later login may be with another account. */
  id: z.string().optional(),
  /** The callback address of the last login, used again for the next. */
  redirectUri: z.string().optional(),
  registrations: z.array(registration).default([]),
  tokens: tokens.optional(),
  authorizationServer: authorizationServer.optional(),
  /** More scope that the server asked for, to be requested at the next login. */
  wantedScope: z.string().optional(),
});

/** The stored login at one server: tokens, and the client that got them. */
export type StoredLogin = z.infer<typeof storedLogin>;
export type LoginTokens = z.infer<typeof tokens>;

export function emptyLogin(url: string): StoredLogin {
  return { url, registrations: [] };
}
