// Describes an edit of the configuration in one line, by names only: values may be secrets.
import type { Config } from '@tidings/track';

type Named = ReadonlyMap<string, string>;

export function changesBetween(before: Config, after: Config): string {
  const parts = [
    differences('servers', servers(before), servers(after)),
    differences('tokens', tokens(before), tokens(after)),
    differences('issuers', issuers(before), issuers(after)),
    ...(['limits', 'redactions', 'cors', 'hosts', 'proxies', 'realtime', 'audit'] as const).map((name) =>
      JSON.stringify(before[name]) === JSON.stringify(after[name]) ? '' : name,
    ),
  ].filter(Boolean);
  return parts.length === 0 ? 'nothing' : parts.join('; ');
}

function servers({ servers }: Config): Named {
  return new Map(servers.map((entry) => [entry.id, JSON.stringify(entry)]));
}

function tokens({ tokens }: Config): Named {
  return new Map(tokens.map((entry) => [entry.env, JSON.stringify(entry)]));
}

function issuers({ oauth }: Config): Named {
  return new Map((oauth?.issuers ?? []).map((entry) => [entry.issuer, JSON.stringify(entry)]));
}

function differences(what: string, before: Named, after: Named): string {
  const added = [...after.keys()].filter((name) => !before.has(name)).map((name) => `+${name}`);
  const removed = [...before.keys()].filter((name) => !after.has(name)).map((name) => `-${name}`);
  const changed = [...after].filter(([name, text]) => (before.get(name) ?? text) !== text).map(([name]) => `~${name}`);
  const all = [...added, ...removed, ...changed];
  return all.length === 0 ? '' : `${what} ${all.join(' ')}`;
}
