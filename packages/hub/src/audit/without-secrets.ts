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

/** `https://user:password@host/?token=…` keeps neither. */
export function withoutSecretsInUri(text: string): string {
  return text
    .replace(/(:\/\/[^/?#@\s]*?):[^/?#@\s]*@/g, '$1:…@')
    .replace(/([?&][^=&#\s]*(?:token|secret|password|key|signature)=)[^&#\s]*/gi, '$1…');
}

function cut(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText)}…`;
}
