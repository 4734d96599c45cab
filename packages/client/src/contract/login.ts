// The logins of a user at servers with `"login": "per-user"`, in `/api/logins`. Tokens are never among it.
import * as z from 'zod/mini';

/** A login: who gave it, and for how long. */
const login = {
  issuer: z.string(),
  scope: z.optional(z.string()),
  /** ISO 8601; missing if the server decides. */
  expires: z.optional(z.string()),
  /** Whether the hub renews it. */
  renews: z.boolean(),
};

export const userLogin = z.object({ server: z.string(), ...login });

export const userLoginsAnswer = z.object({
  logins: z.array(
    z.object({
      server: z.string(),
      login: z.nullable(z.object(login)),
      /** The callback address of the last login. */
      redirectUri: z.optional(z.string()),
    }),
  ),
});

export type UserLoginsAnswer = z.infer<typeof userLoginsAnswer>;

const longest = 4000;
const text = z.string().check(z.maxLength(longest, `is longer than ${longest} characters`));

export const loginRequest = z.strictObject({
  /** Where the browser is sent at the end: `http://127.0.0.1:PORT/callback`. */
  redirectUri: text,
  scope: z.optional(text),
});

export const begunLogin = z.object({
  /** Where the user logs in. */
  address: z.string(),
  /** ISO 8601: until when it can be finished. */
  until: z.string(),
});

/** The parameters with which the browser came back. */
export const loginCallback = z.object({
  state: text,
  code: z.optional(text),
  iss: z.optional(text),
  error: z.optional(text),
  error_description: z.optional(text),
});

export const endedLogin = z.object({
  server: z.string(),
  /** Whether the authorization server has revoked it; `unsupported` if it cannot. */
  revoked: z.enum(['yes', 'no', 'unsupported']),
  reason: z.optional(z.string()),
});
