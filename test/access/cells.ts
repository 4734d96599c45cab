// The dimensions of the access matrix: callers, resources, and spellings of URIs.
import type { IssuerGrant, TokenEntry } from '@tidings/track';
import { base, supportCall } from '../vcon/workbench.ts';

const conversation = `${base}/${supportCall.uuid}`;
/** A telephone number that the redaction of the tests removes. */
export const telephone = '+491701112233';
export const redactions = { strict: { drop: ['tel'], mask: [String.raw`\+\d{6,}`] } };

/**
 * Callers by name. `issued` has an access token of an issuer, with the rights of `bound`; the token of `removed` was
 * removed by an edit of the configuration; `none` has never had one.
 */
export const principals = ['whole', 'allow', 'redact', 'both', 'bound', 'issued', 'removed', 'none'] as const;
export type Principal = (typeof principals)[number];

export const tokens: readonly TokenEntry[] = [
  {
    env: 'allow',
    allow: ['docs://corp/public/**', `${base}/**`],
    tools: ['docs_search', 'vcon_search_vcons'],
    prompts: ['docs_about'],
  },
  { env: 'redact', redact: 'strict', tools: ['**'], prompts: ['vcon_*'] },
  { env: 'both', allow: [`${base}/**`], redact: 'strict', tools: ['vcon_search_*'] },
  { env: 'bound', servers: ['docs'], tools: ['docs_*'] },
];
export const issuedGrant: IssuerGrant = { claims: { team: 'docs' }, servers: ['docs'], tools: ['docs_*'] };
export const removedToken: TokenEntry = { env: 'removed', allow: ['**'] };

/** Resources by name: two of one server, one of each of the others. */
export interface Target {
  name: 'handbook' | 'salaries' | 'keys' | 'call';
  server: 'docs' | 'secret' | 'vcon';
  uri: string;
  /** A text that only this resource contains. */
  marker: string;
}

export const documents = {
  docs: { 'public/handbook': 'how we work', 'private/salaries': 'who earns what' },
  secret: { 'public/keys': 'the keys of the house' },
};

export const targets: readonly Target[] = [
  { name: 'keys', server: 'secret', uri: 'secret://corp/public/keys', marker: 'the keys of the house' },
  { name: 'call', server: 'vcon', uri: conversation, marker: 'need help with my account' },
  { name: 'salaries', server: 'docs', uri: 'docs://corp/private/salaries', marker: 'who earns what' },
  { name: 'handbook', server: 'docs', uri: 'docs://corp/public/handbook', marker: 'how we work' },
];

const address = (server: string, uri: string) => `tidings://${server}/${encodeURIComponent(uri)}`;
/** `docs://corp/private/salaries` as `docs://corp/public{between}private/salaries`. */
const detour = (uri: string, between: string) =>
  uri.replace('://corp/', `://corp/public${between}`).replace(`${base}/`, `${base}/x${between}`);

/** Spellings of a resource's URI; undefined if there is no such spelling. */
export const spellings = {
  plain: ({ uri }: Target) => uri,
  alias: ({ name }: Target) => (name === 'call' ? `vcon://uuid/${supportCall.uuid}` : undefined),
  'scheme in capitals': ({ uri }: Target) => uri.replace(/^[a-z]+/, (scheme) => scheme.toUpperCase()),
  'escaped letter': ({ uri }: Target) => uri.replace(/p(?=ublic|rivate)/, '%70').replace('/123e', '/%3123e'),
  'dot segments': ({ uri }: Target) => detour(uri, '/../'),
  'escaped dot segments': ({ uri }: Target) => detour(uri, '/%2e%2E/'),
  'dot segments escaped twice': ({ uri }: Target) => detour(uri, '%252f%252e%252e%252f'),
  backslashes: ({ uri }: Target) => detour(uri, '/..\\'),
  'slash at the end': ({ uri }: Target) => `${uri}/`,
  'tidings://': ({ server, uri }: Target) => address(server, uri),
  'tidings:// in capitals': ({ server, uri }: Target) => address(server, uri).replace('tidings', 'TIDINGS'),
  'tidings:// with dot segments': ({ server, uri }: Target) => address(server, detour(uri, '/../')),
} as const;
export type Spelling = keyof typeof spellings;
export const spellingNames = Object.keys(spellings).filter((name): name is Spelling => name in spellings);
