// Arguments and URIs in the form that the audit log stores: shortened, and without values whose name or position
// suggests a secret.
import { cutText } from './cut-text.ts';

const secretName =
  /pass(word|wd|phrase)?$|^pwd$|secret|token|credential|authorization|api[-_]?key|private[-_]?key|cookie/i;
const longestText = 500;
const mostMembers = 50;
const deepest = 6;

/** Whether a value with this name is usually a secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

export function withoutSecrets(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cutText(withoutSecretsInUri(value), longestText);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= deepest) return '…';
  if (Array.isArray(value)) return value.slice(0, mostMembers).map((each) => withoutSecrets(each, depth + 1));
  const members = Object.entries(value).slice(0, mostMembers);
  return Object.fromEntries(
    members.map(([name, member]) => [
      cutText(name, longestText),
      isSecretName(name) ? '…' : withoutSecrets(member, depth + 1),
    ]),
  );
}

/** The part of a URI between `//` and the path, up to its last `@`. */
const login = /:\/\/([^/?#\s]*)@/g;
/** One parameter. Neither pattern reads a character twice: clients choose the text, and its length. */
const parameter = /([?&#;][^=&?#;\s]*)=[^&#;\s]*/g;
const secretParameter =
  /(?:token|secret|pass(?:word|wd|phrase)?|pwd|credentials?|key|sig(?:nature)?|auth(?:orization)?|jwt|bearer|session(?:[-_]?id)?)$/i;
/** Of a login without a password, a name of this length may be a token. */
const longestName = 16;
/** How often a URI may be encoded within another: `tidings://server/https%3A%2F%2F…`. */
const mostEncodings = 3;
/** Longer URIs are refused, and little of them is kept: their escapes are not worth the time. */
const longestUri = 8192;

/** `https://user:password@host/?token=…` keeps neither. A URI that hides one in escapes is kept without the escapes. */
export function withoutSecretsInUri(text: string): string {
  const cleaned = cleanedOnce(text);
  let [plain, kept] = [cleaned, cleaned];
  for (let level = 0; level < mostEncodings && plain.includes('%'); level += 1) {
    const unescaped = withoutEscapes(plain.slice(0, longestUri));
    plain = cleanedOnce(unescaped);
    if (plain !== unescaped) kept = plain;
  }
  return kept;
}

function cleanedOnce(text: string): string {
  return text
    .replace(login, (found: string, user: string) => {
      if (user.includes(':')) return `://${user.split(':', 1)[0]}:…@`;
      return user.length > longestName ? '://…@' : found;
    })
    .replace(parameter, (found: string, name: string) => (secretParameter.test(name) ? `${name}=…` : found));
}

/** Decodes ASCII characters only, which separate the parts of a URI; never fails. */
function withoutEscapes(text: string): string {
  return text.replace(/%([2-7][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
