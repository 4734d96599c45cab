/** `**` is anything, `*` anything without a slash, everything else is itself. */
export function uriPattern(pattern: string): RegExp {
  const source = pattern.split(/(\*\*|\*)/).map((part) => {
    if (part === '**') return '.*';
    return part === '*' ? '[^/]*' : part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
  });
  return new RegExp(`^${source.join('')}$`, 's');
}
