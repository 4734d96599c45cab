// What is stored of the login at one server. Everything in it is secret.
import { type AuthorizationServerMetadata, specTypeSchemas } from '@modelcontextprotocol/client';
import { z } from 'zod';

const metadata = z.custom<AuthorizationServerMetadata>(
  (value) => !('issues' in Object(specTypeSchemas.OAuthMetadata['~standard'].validate(value))),
);

/** This client at one authorization server. */
const registration = z.object({
  issuer: z.string(),
  /** As the authorization server gave it. */
  information: z.looseObject({
    client_id: z.string(),
    client_secret: z.string().optional(),
    client_secret_expires_at: z.number().optional(),
    /** What it may ask for. */
    scope: z.string().optional(),
  }),
  /** The callback address that it was registered with. */
  redirectUri: z.string(),
});

const tokens = z.object({
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  /** As it was granted, or else as it was asked for. */
  scope: z.string().optional(),
  issuer: z.string(),
  /** Milliseconds since the epoch. */
  obtainedAt: z.number(),
  expiresAt: z.number().optional(),
});

/** The authorization server that gave the tokens: they are renewed and revoked there, and nowhere else. */
const authorizationServer = z.object({
  url: z.string(),
  metadata: metadata.optional(),
  /** The name of the server's resource, as the server gives it. */
  resource: z.string().optional(),
});

export const storedLogin = z.object({
  /** Whose login it is: see login-key.ts. */
  url: z.string(),
  /** The callback address of the last login, to be used again. */
  redirectUri: z.string().optional(),
  registrations: z.array(registration).default([]),
  tokens: tokens.optional(),
  authorizationServer: authorizationServer.optional(),
  /** What the server has wanted besides: to be asked for at the next login. */
  wantedScope: z.string().optional(),
});

/** What is stored of the login at one server: tokens, and the client that got them. */
export type StoredLogin = z.infer<typeof storedLogin>;
export type LoginTokens = z.infer<typeof tokens>;

export function emptyLogin(url: string): StoredLogin {
  return { url, registrations: [] };
}
