// The hub's promises to agents, readers of events, pages and clients of its gateway.
import type { TestedRequirement } from './requirement.ts';

const gateway = 'test/hub/gateway.test.ts';
const access = 'test/hub/access.test.ts';
const edited = 'test/hub/edited-access.test.ts';
const agent = 'test/hub/agent-session.test.ts';
const changing = 'test/hub/changing-upstreams.test.ts';
const accessTokens = 'test/oauth/access-tokens.test.ts';
const granted = 'test/oauth/granted.test.ts';
const discovery = 'test/oauth/discovery.test.ts';
const perUser = 'test/login/per-user.test.ts';
const isolation = 'test/login/per-user-isolation.test.ts';
const perUserReads = 'test/login/per-user-reads.test.ts';
const perUserSecrets = 'test/login/per-user-secrets.test.ts';
const ownLogins = 'test/login/own-logins.test.ts';
const userLogins = 'test/login/user-logins.test.ts';

export const hubRequirements: readonly TestedRequirement[] = [
  {
    id: 'unknown-fields-pass',
    source: 'docs/hub.md, What passes through unchanged',
    text: 'Members, kinds of content and results that the protocol does not define pass through the hub unchanged.',
    tests: [
      {
        file: 'test/hub/unknown-fields.test.ts',
        title: 'gets unknown members, content and results unchanged',
      },
    ],
  },
  {
    id: 'session-state-is-kept',
    source: 'docs/hub.md, Servers that ask',
    text: 'State that a 2025-era server keeps in a session of a client is available to the next call of that client.',
    tests: [
      {
        file: 'packages/hub/src/gateway/relay/caller-sessions.test.ts',
        title: 'is the same for all its calls, also of a modern client with roots',
      },
      { file: 'test/hub/server-state.test.ts', title: 'a caller of a server that asks keeps one process' },
    ],
  },
  {
    id: 'no-side-effect-twice',
    source: 'docs/hub.md, Servers that ask',
    text: 'A call that failed because the server could not ask is repeated only if it is a read, a prompt, or a read-only or idempotent tool.',
    tests: [
      {
        file: 'packages/hub/src/gateway/relay/method-relay.test.ts',
        title: 'is not repeated if it may have side effects: its caller gets an error, and is asked from then on',
      },
      {
        file: 'test/hub/relay-bounds.test.ts',
        title: 'a call that may not be repeated is made once, also after a restart',
      },
    ],
  },
  {
    id: 'call-made-once',
    source: 'ARCHITECTURE.md, Decisions of the gateway',
    text: 'A call is made once and returns its own result, however the tools of its server change meanwhile.',
    tests: [
      {
        file: 'test/hub/calls-once.test.ts',
        title: 'a call is made once if its error looks like a question that could not be asked',
      },
      {
        file: 'test/hub/calls-once.test.ts',
        title: 'a call is made once if the schema of its tool has changed before the response',
      },
      {
        file: 'test/hub/calls-once.test.ts',
        title: 'a call is made once if its tool has been removed before the response',
      },
    ],
  },
  {
    id: 'mentions-subscribed',
    source: 'docs/hub.md, A line about changes',
    text: 'A result ends with the resources that its caller has subscribed to and that have changed since.',
    tests: [
      {
        file: 'test/hub/mentioned-changes.test.ts',
        title: 'a result ends with the changes since a subscription',
      },
    ],
  },
  {
    id: 'hook-says-what-changed',
    promise: 1,
    source: 'docs/hooks.md, What a hook says',
    text: 'The hook of a host names resources that were read and have changed since, once to each of its sessions.',
    tests: [
      { file: 'test/hub/hooks.test.ts', title: 'reports the changes since the reads of a %s client once' },
      {
        file: 'test/hub/hooks.test.ts',
        title: 'reports changes of subscribed resources, also of a server that is not tracked',
      },
      {
        file: 'packages/hub/src/hook/hooks.test.ts',
        title: 'gets a change again if its host did not get the response',
      },
      {
        file: 'packages/hub/src/hook/hooks.test.ts',
        title: 'gets a change that only another session of the host has read',
      },
    ],
  },
  {
    id: 'hook-reach',
    promise: 7,
    source: 'docs/hooks.md, What a hook says',
    text: 'A hook reports only resources read with the same token and permitted by it.',
    tests: [
      {
        file: 'test/hub/hooks.test.ts',
        title: 'reports nothing to other tokens, and to a limited token only permitted resources',
      },
      { file: 'packages/hub/src/hook/hooks.test.ts', title: 'gets only changes that its token permits' },
    ],
  },
  {
    id: 'hook-bounded',
    promise: 3,
    source: 'docs/hooks.md, What a hook says',
    text: 'The text of a hook is short, however much has changed, and the record of reported changes takes limited memory.',
    tests: [
      {
        file: 'packages/hub/src/hook/hooks.test.ts',
        title: 'has legal characters and a limited length, however much has changed',
      },
      {
        file: 'packages/hub/src/hook/host-sessions.test.ts',
        title: 'are limited in number per token and in total, and the one unused for longest is forgotten',
      },
    ],
  },
  {
    id: 'hook-never-blocks',
    source: 'docs/hooks.md, Over HTTP',
    text: 'The hook of a host never fails, never takes long, and continues a turn at most once.',
    tests: [
      { file: 'test/cli/hook.test.ts', title: 'is silent, and soon, where the answer is %s' },
      {
        file: 'test/cli/hook.test.ts',
        title: 'prints nothing without a hub, and for input that is invalid or does not end',
      },
      { file: 'test/cli/hook.test.ts', title: 'does not make the host refuse when the settings are wrong' },
      {
        file: 'packages/hub/src/hook/hook-turns.test.ts',
        title: 'the hook of %s at %s with %o is empty, and the changes stay pending',
      },
    ],
  },
  {
    id: 'builtin-trouble',
    source: 'docs/obs.md, When OBS is not running',
    text: 'The loss and the return of OBS appear in the detail of the server and in the journal.',
    tests: [
      {
        file: 'test/hub/obs-away.test.ts',
        title: 'the loss and the return of OBS appear in the list of servers and in the journal',
      },
    ],
  },
  {
    id: 'task-of-one-principal',
    promise: 7,
    source: 'docs/hub.md, Servers that ask',
    text: 'The question of a task can be answered once, by the principal whose call it was.',
    tests: [
      { file: 'packages/hub/src/gateway/relay/task-states.test.ts', title: 'a state leads to its task once' },
      { file: 'test/hub/tasks.test.ts', title: 'gets the questions of a task' },
    ],
  },
  {
    id: 'task-asks-its-client',
    promise: 7,
    source: 'docs/hub.md, Servers that ask',
    text: 'Questions of a task managed by a 2025-11-25 client go to that client under the hub’s task id.',
    tests: [
      {
        file: 'test/hub/asking-tasks.test.ts',
        title: "asks under the hub's task id, and names its server at the common address",
      },
      { file: 'test/hub/asking-tasks.test.ts', title: 'never asks another client that has tasks with questions' },
      { file: 'test/hub/asking-tasks.test.ts', title: 'is freed when its client leaves' },
    ],
  },
  {
    id: 'task-ids-of-one-principal',
    promise: 7,
    source: 'docs/hub.md, Servers that ask',
    text: 'A task can be queried by the principal whose call it was, and no other.',
    tests: [
      {
        file: 'packages/hub/src/gateway/relay/task-ids.test.ts',
        title: 'an id leads back to its task, for its principal only',
      },
      { file: 'test/hub/old-passed-tasks.test.ts', title: 'cancels a task for the principal of its call only' },
      {
        file: 'test/hub/passed-tasks.test.ts',
        title: "refuses a task to other principals, and under the server's own task id",
      },
    ],
  },
  {
    id: 'one-subscription-upstream',
    promise: 4,
    source: 'promise 4',
    text: 'A resource has one subscription at its server, however many clients watch it.',
    tests: [{ file: gateway, title: 'have one subscription per resource, from its first client to its last' }],
  },
  {
    id: 'one-away-others-served',
    promise: 1,
    source: 'promise 1',
    text: 'An unavailable server does not affect the others.',
    tests: [{ file: gateway, title: 'are not affected by an unavailable one' }],
  },
  {
    id: 'gateway-through-restart',
    promise: 1,
    source: 'promise 1',
    text: 'A gateway client is notified of changes made while its server restarted.',
    tests: [
      {
        file: changing,
        title: 'is followed through a restart: clients are notified of differences, and of later changes',
      },
    ],
  },
  {
    id: 'two-hubs-on-a-folder',
    promise: 1,
    source: 'packages/track/SPEC.md, Journal and archive',
    text: 'Two hubs on one data folder each report every change to their own readers.',
    tests: [
      {
        file: 'test/hub/two-hubs.test.ts',
        title: 'each of two hubs on one folder reports a change to its own readers',
      },
    ],
  },
  {
    id: 'subscribed-before-reached',
    promise: 1,
    source: 'promise 1',
    text: 'A client that subscribes before the hub is connected to a server, tracked or not, is notified of its changes.',
    tests: [
      { file: 'test/hub/after-restart.test.ts', title: 'subscribes to resources that were known before the restart' },
      { file: 'test/hub/after-restart.test.ts', title: 'subscribes to a resource that no connected server has yet' },
    ],
  },
  {
    id: 'unanswered-subscription',
    promise: 1,
    source: 'packages/track/SPEC.md, Subscription',
    text: 'A subscription does not wait for a slow server, and its client misses nothing meanwhile.',
    tests: [{ file: changing, title: 'delays no client, and no client misses a change meanwhile' }],
  },
  {
    id: 'passes-on',
    promise: 8,
    source: 'MCP 2026-07-28, basic/patterns',
    text: 'Progress including the last notification, cancellation, prompts, templates and completion pass the gateway.',
    tests: [
      { file: gateway, title: 'gets progress, cancellation, prompts, templates and completion' },
      { file: 'test/hub/last-progress.test.ts', title: 'the last progress of a call is passed on before its response' },
    ],
  },
  {
    id: 'nothing-changed-on-the-way',
    promise: 8,
    source: 'MCP 2026-07-28 and 2025-11-25, server',
    text: 'Requests and responses through the address of one server keep every field.',
    tests: [
      { file: 'test/hub/unchanged.test.ts', title: 'has the same responses' },
      { file: 'test/hub/unchanged-fields.test.ts', title: 'gets every field unchanged' },
      { file: 'test/hub/unchanged-fields.test.ts', title: 'sends every field of its requests' },
    ],
  },
  {
    id: 'changes-mentioned',
    promise: 1,
    source: 'docs/hub.md, A line about changes',
    text: 'A tool result names resources that its caller has read and that have changed since, to that caller alone.',
    tests: [
      {
        file: 'test/hub/mentioned-changes.test.ts',
        title: 'a result ends with the changes since a read, each once',
      },
      {
        file: 'test/hub/mentioned-changes.test.ts',
        title: 'callers get only changes of resources that they have read',
      },
    ],
  },
  {
    id: 'questions-reach-their-caller',
    promise: 7,
    source: 'MCP 2026-07-28, basic/patterns; 2025-11-25, client/elicitation',
    text: 'The question of a server reaches the caller whose request it belongs to, and no other.',
    tests: [
      {
        file: 'packages/hub/src/gateway/relay/method-relay.test.ts',
        title: 'never get questions of each other, in 1000 interleavings',
      },
      { file: 'test/hub/relay.test.ts', title: 'prompts and reads can ask too' },
      {
        file: 'test/hub/questions-apart.test.ts',
        title: 'get only the questions of their own calls from a %s server',
      },
    ],
  },
  {
    id: 'held-calls-end',
    promise: 3,
    source: 'promise 3',
    text: 'A call whose caller vanishes while a question is open is freed after a minute.',
    tests: [
      {
        file: 'packages/hub/src/gateway/relay/method-relay.test.ts',
        title: 'is freed a minute after its caller has vanished',
      },
    ],
  },
  {
    id: 'access-decided-everywhere',
    promise: 7,
    source: 'SECURITY.md, What holds',
    text: 'Access is decided for every principal, every way into the hub and every spelling of a URI.',
    tests: [
      { file: 'test/access/matrix.test.ts', title: 'has a rule for every cell, and no rule without a cell' },
      { file: 'test/access/matrix.test.ts', title: 'has a row for every route of the hub' },
    ],
  },
  {
    id: 'part-only',
    promise: 7,
    source: 'SECURITY.md, What holds',
    text: 'A token for some of the resources sees, and is notified of, only these.',
    tests: [
      { file: access, title: 'shows a limited token only its resources, on every route' },
      { file: access, title: 'notifies a limited token only of its resources' },
    ],
  },
  {
    id: 'revoked-token-cut',
    promise: 7,
    source: 'SECURITY.md, What holds',
    text: 'Removing a token ends its streams and sessions.',
    tests: [{ file: edited, title: 'ends every stream and session of a removed token, and no others' }],
  },
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
    id: 'own-login',
    promise: 7,
    source: 'docs/logins.md, A login for each user',
    text: 'At a server with logins per user, a request is sent with the login of its caller, and with no other.',
    tests: [
      { file: perUser, title: 'answers everyone with the own account, in hundreds of interleaved requests' },
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
        file: 'packages/hub/src/access/issuer-keys.test.ts',
        title: 'are loaded once for many tokens, and again for an unknown key after a pause',
      },
      { file: accessTokens, title: 'cannot be reached makes its own tokens unavailable only' },
    ],
  },
  {
    id: 'unread-answers-bounded',
    promise: 3,
    source: 'SECURITY.md, What holds',
    text: 'Unread response bytes are limited per principal.',
    tests: [{ file: 'test/hub/quotas.test.ts', title: 'bytes that it does not read (%s)' }],
  },
  {
    id: 'state-of-one-caller',
    promise: 7,
    source: 'SECURITY.md, What holds',
    text: 'The state of a question can be used only by the caller that was asked.',
    tests: [{ file: 'test/hub/state-owners.test.ts', title: 'a caller cannot continue the call of another at %s' }],
  },
  {
    id: 'left-calls-count',
    promise: 3,
    source: 'SECURITY.md, What holds',
    text: 'A call counts against the quota of its caller until it has ended, also after its client has left.',
    tests: [{ file: 'test/hub/quotas.test.ts', title: 'requests in flight, with calls that its clients have left' }],
  },
  {
    id: 'hidden-server-unmentioned',
    promise: 7,
    source: 'SECURITY.md, What holds',
    text: 'A server that is hidden from a caller is mentioned nowhere, not even by its capabilities.',
    tests: [{ file: 'test/access/hidden-servers.test.ts', title: 'is mentioned in no response to $who: $server' }],
  },
  {
    id: 'pinned-definitions',
    promise: 7,
    source: 'SECURITY.md, What holds',
    text: 'A changed tool of a pinned server is withheld until a person agrees to it.',
    tests: [
      {
        file: 'test/hub/definitions.test.ts',
        title: 'withholds a changed and a new tool everywhere, and reports them, until a person agrees',
      },
      {
        file: 'test/hub/definitions.test.ts',
        title: 'withholds its changed name too, and lists its resources without their texts',
      },
    ],
  },
  {
    id: 'agent-line-again',
    promise: 1,
    source: 'resource tracking story 3',
    text: 'A line that an agent session refused or may not have received is sent again.',
    tests: [
      { file: agent, title: 'is sent again after a pause, and nothing else is' },
      { file: agent, title: 'and never confirmed its lines: gets them again, with later ones' },
    ],
  },
  {
    id: 'agent-bounded',
    promise: 3,
    source: 'promise 3',
    text: 'A session that does not respond has at most one pending line per resource.',
    tests: [
      {
        file: agent,
        title: 'during a message: keeps one line for each resource, counts as lost, and gets the lines when it is back',
      },
    ],
  },
  {
    id: 'hub-survives-kill',
    promise: 9,
    source: 'promise 9',
    text: 'Acknowledged data of the hub survives a kill, and readers continue with their cursors.',
    tests: [
      {
        file: 'test/hub/killed.test.ts',
        title: 'a killed hub loses no confirmed write, leaves no process behind, and its journal continues',
      },
      { file: 'test/hub/client.test.ts', title: 'reports each update once, across a restart of the hub' },
    ],
  },
  {
    id: 'cluster-one-owner',
    promise: 9,
    source: 'ARCHITECTURE.md, Many nodes',
    text: 'A server is tracked by one node; a node that has lost it, or was frozen, writes nothing as its owner.',
    tests: [
      { file: 'test/track/fencing.test.ts', title: 'discards writes of the old holder of a lease' },
      {
        file: 'test/cluster/lost-nodes.test.ts',
        title: 'discards the writes as owner of a node that was frozen and wakes up',
      },
      {
        file: 'test/cluster/changed-roles.test.ts',
        title: 'with a new number of its lease does not run the server process twice',
      },
    ],
  },
  {
    id: 'cluster-takeover',
    promise: 1,
    source: 'ARCHITECTURE.md, Many nodes',
    text: 'Servers and agent sessions of a lost node are taken over, and every subscriber gets the current content.',
    tests: [
      {
        file: 'test/cluster/lost-nodes.test.ts',
        title: 'takes over the servers of a killed node within ten seconds',
      },
      {
        file: 'test/cluster/agent-sessions.test.ts',
        title:
          'gets each line once, is shown and can be detached on any node, and is taken over when its node is killed',
      },
      {
        file: 'test/cluster/rolling-restart.test.ts',
        title: 'is restarted node by node without a stale subscriber, with one reconnection per client',
      },
    ],
  },
  {
    id: 'cluster-notified-session',
    promise: 1,
    source: 'docs/scale.md, Many nodes',
    text: 'A scheduled notification reaches its agent session, whichever node it comes due on.',
    tests: [
      {
        file: 'test/cluster/agent-sessions.test.ts',
        title: 'gets a notification that comes due on another node, and the next one after a takeover',
      },
    ],
  },
  {
    id: 'cluster-webhooks-once',
    promise: 9,
    source: 'docs/vcon.md, Webhooks',
    text: 'Each webhook is sent by one of the processes with its address; another one takes over when that one ends.',
    tests: [
      {
        file: 'test/cluster/webhooks.test.ts',
        title: 'are sent once for each change on any node, and continue when the sending node is killed',
      },
      {
        file: 'test/vcon/webhooks.test.ts',
        title: 'are sent once by any number of processes, and by another one when a process is closed',
      },
    ],
  },
  {
    id: 'cluster-any-node-answers',
    promise: 7,
    source: 'docs/scale.md, Many nodes',
    text: "A 2026-07-28 client can answer a server's question and use its task at any node; another caller cannot.",
    tests: [
      {
        file: 'test/cluster/questions.test.ts',
        title: 'the question of a %s server can be answered at either node, by its caller only',
      },
      { file: 'test/cluster/questions.test.ts', title: 'a task can be used at either node, by its caller only' },
      {
        file: 'test/cluster/questions.test.ts',
        title: 'the question of a task managed by the hub can be answered at either node, by its caller only',
      },
      {
        file: 'test/cluster/questions.test.ts',
        title: 'a call whose node is lost fails with an error that says to call again',
      },
    ],
  },
  {
    id: 'cluster-one-journal',
    promise: 1,
    source: 'ARCHITECTURE.md, Many nodes',
    text: 'A reader of events continues on any node with its cursor.',
    tests: [
      {
        file: 'test/cluster/two-nodes.test.ts',
        title: 'have one journal: a reader continues on the other node with its cursor',
      },
    ],
  },
  {
    id: 'bus-gap',
    promise: 1,
    source: 'docs/scale.md, When a part fails',
    text: 'After a possible loss of bus messages, all subscribed resources count as stale.',
    tests: [{ file: 'test/cluster/bus.test.ts', title: 'has a gap after an outage of NATS, and continues' }],
  },
];
