// Access tokens of issuers, and logins of users at servers.
import type { TestedRequirement } from '../requirement.ts';

const accessTokens = 'test/oauth/access-tokens.test.ts';
const granted = 'test/oauth/granted.test.ts';
const discovery = 'test/oauth/discovery.test.ts';
const perUser = 'test/login/per-user.test.ts';
const isolation = 'test/login/per-user-isolation.test.ts';
const perUserReads = 'test/login/per-user-reads.test.ts';
const perUserSecrets = 'test/login/per-user-secrets.test.ts';
const ownLogins = 'test/login/own-logins.test.ts';
const userLogins = 'test/login/user-logins.test.ts';

export const loginRequirements: readonly TestedRequirement[] = [
  {
    id: 'access-token-verified',
    promise: 7,
    source: 'MCP 2026-07-28, Authorization; RFC 9068, section 4',
    text: 'An access token is accepted only with a signature of its issuer, for this hub, and in its time.',
    tests: [
      { file: accessTokens, title: 'is refused with the reason if its audience or its time is wrong' },
      { file: accessTokens, title: 'is refused without a signature of the issuer' },
      { file: accessTokens, title: 'of one issuer is not accepted as a token of another' },
    ],
  },
  {
    id: 'access-token-grant',
    promise: 7,
    source: 'docs/oauth.md, What a token grants',
    text: 'An access token has the grant of the first entry whose conditions its scopes and claims meet; without one, reading.',
    tests: [
      { file: granted, title: 'may read everything and call nothing, unless the configuration grants more' },
      { file: granted, title: 'has the grant of the first entry whose conditions its scopes and claims meet' },
      { file: granted, title: 'for one server is valid at that server only' },
      {
        file: granted,
        title: 'does not open the session of another owner, nor of the same owner with another grant',
      },
    ],
  },
  {
    id: 'access-token-stays',
    promise: 7,
    source: 'MCP 2026-07-28, Authorization',
    text: 'An access token is not passed on to servers.',
    tests: [{ file: granted, title: 'is not sent to any server' }],
  },
  {
    id: 'access-token-ends',
    promise: 7,
    source: 'docs/oauth.md, When access ends',
    text: 'Streams and sessions of an access token end when it expires, and when its key or its issuer is withdrawn.',
    tests: [
      { file: granted, title: 'when it expires' },
      { file: granted, title: 'when the issuer withdraws its key, which is noticed also while no token arrives' },
      { file: granted, title: 'when its issuer is removed or its grant changes, and not before' },
    ],
  },
  {
    id: 'protected-resource-metadata',
    source: 'MCP 2026-07-28, Authorization; RFC 9728',
    text: 'A refused request gets the URL of a public document with the issuers, whether or not its server exists.',
    tests: [
      { file: discovery, title: 'names its document and the scopes to request in every refusal' },
      {
        file: discovery,
        title: 'has a public document for itself and each endpoint, whether or not the server exists',
      },
      { file: granted, title: 'without any grant is refused with the scopes to request, if there are any' },
      { file: 'test/oauth/real-issuer.test.ts', title: 'an SDK client (%s) asks for the scopes that its token lacks' },
      {
        file: 'test/hub/behind-nginx.test.ts',
        title: 'leads clients to the issuer of access tokens at the address that they use, whatever they claim',
      },
    ],
  },
  {
    id: 'issuer-keys',
    source: 'docs/oauth.md, Issuers',
    text: 'The keys of an issuer are fetched rarely, however many tokens arrive; while it is unavailable, other tokens work.',
    tests: [
      {
        file: 'packages/hub/src/access/issuer/issuer-keys.test.ts',
        title: 'are loaded once for many tokens, and again for an unknown key after a pause',
      },
      { file: accessTokens, title: 'cannot be reached makes its own tokens unavailable only' },
    ],
  },
  {
    id: 'own-login',
    promise: 7,
    source: 'docs/logins.md, A login for each user',
    text: 'At a server with logins per user, a request is sent with the login of its caller, and with no other.',
    tests: [
      { file: perUser, title: 'answers everyone with the own account, in many interleaved requests' },
      { file: perUser, title: 'notifies only the user whose account has changed' },
      { file: isolation, title: 'a user is the owner of access tokens, whatever they grant, and no other' },
      { file: ownLogins, title: 'another account of the same user gets nothing that the first one has shown' },
      { file: ownLogins, title: 'logins survive a restart of the hub' },
    ],
  },
  {
    id: 'own-login-private',
    promise: 7,
    source: 'docs/logins.md, A login for each user',
    text: 'What one login shows at such a server reaches no other user, by any route, also after an edit of the entry.',
    tests: [
      {
        file: isolation,
        title: 'events, versions and agent sessions are for the operator only, also after the server was removed',
      },
      { file: isolation, title: 'ends what a user has of the connection of the operator' },
      {
        file: perUserReads,
        title: 'are not counted for a user who has read the resource with the shared login',
      },
      { file: isolation, title: 'a pinned server offers users what was agreed to on the connection of the operator' },
      {
        file: 'packages/track/src/config/per-user.test.ts',
        title: 'refuses another entry that would use the login of the operator at the same address',
      },
    ],
  },
  {
    id: 'own-login-missing',
    source: 'docs/logins.md, A login for each user',
    text: 'Without a login, nothing is sent to such a server, its items are left out of lists, and errors say what to run.',
    tests: [
      { file: ownLogins, title: 'sees nothing of the server, and is told the command' },
      { file: ownLogins, title: 'a login that was revoked, or that the user has ended, is of no use at once' },
    ],
  },
  {
    id: 'own-login-begun',
    source: 'docs/logins.md, A login for each user',
    text: 'A login is completed only by the user who began it, on the own machine; no token passes over the HTTP of the hub.',
    tests: [
      {
        file: ownLogins,
        title: 'a login is finished only by the user who began it, once, on the own machine, and in time',
      },
      {
        file: ownLogins,
        title: 'a login is stored for its owner only, shown without tokens, and used by the user alone',
      },
      { file: perUserSecrets, title: 'errors of a login and of a logout contain no secrets' },
      { file: ownLogins, title: 'tidings login and logout with --hub log a user in and out' },
      { file: ownLogins, title: 'bounds how often a user begins a login' },
      { file: userLogins, title: 'a login that was begun can be completed within ten minutes' },
      { file: userLogins, title: 'logins that all users together have begun are bounded' },
      { file: ownLogins, title: 'refuses what is no login of this user' },
    ],
  },
  {
    id: 'own-connections-bounded',
    promise: 3,
    source: 'docs/logins.md, A login for each user',
    text: 'The users with connections of their own are bounded, and connections that are not used are closed.',
    tests: [
      { file: ownLogins, title: 'bounds the users with connections of their own, and closes those that are idle' },
    ],
  },
];
