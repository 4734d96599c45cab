// Arguments and URIs in the form that the audit log keeps: without values whose name or position suggests a secret, and
// shortened.

const secretName =
  /pass(word|wd|phrase)?$|^pwd$|secret|token|credential|authorization|api[-_]?key|private[-_]?key|cookie/i;
const longestText = 500;
const mostMembers = 50;
const deepest = 6;

export function withoutSecrets(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cut(withoutSecretsInUri(value));
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= deepest) return '…';
  if (Array.isArray(value)) return value.slice(0, mostMembers).map((each) => withoutSecrets(each, depth + 1));
  const members = Object.entries(value).slice(0, mostMembers);
  return Object.fromEntries(
    members.map(([name, member]) => [cut(name), secretName.test(name) ? '…' : withoutSecrets(member, depth + 1)]),
  );
}

/** The part of a URI between `//` and the path, up to its last `@`. */
const login = /:\/\/([^/?#\s]*)@/g;
/** One parameter of a query or fragment. Neither pattern reads a character twice: clients choose the text, and its length. */
const parameter = /([?&#][^=&?#\s]*)=[^&#\s]*/g;
const secretParameter = /(?:token|secret|pass(?:word|wd|phrase)?|pwd|credentials?|key|sig(?:nature)?|authorization)$/i;

/** `https://user:password@host/?token=…` keeps neither. */
export function withoutSecretsInUri(text: string): string {
  return text
    .replace(login, (found: string, user: string) => (user.includes(':') ? `://${user.split(':', 1)[0]}:…@` : found))
    .replace(parameter, (found: string, name: string) => (secretParameter.test(name) ? `${name}=…` : found));
}

function cut(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText)}…`;
}
