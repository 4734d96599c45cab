// A problem of a document, reported once for all entries that have it.

export interface Problem {
  readonly path: readonly (string | number)[];
  readonly text: string;
}

/** `dialog[3].start: missing`, or `dialog[*].start (10 times): missing`. */
export function described(problems: readonly Problem[]): string[] {
  const groups = new Map<string, { first: Problem; times: number }>();
  for (const problem of problems) {
    const key = `${written(problem.path, () => '*')}: ${problem.text}`;
    const group = groups.get(key) ?? { first: problem, times: 0 };
    groups.set(key, { ...group, times: group.times + 1 });
  }
  return [...groups.values()].map(({ first: { path, text }, times }) =>
    times === 1
      ? sentence(written(path, String), text)
      : sentence(`${written(path, () => '*')} (${times} times)`, text),
  );
}

/** As many problems as a person reads, and the number of the others. */
export function atMost(count: number, texts: readonly string[]): string[] {
  if (texts.length <= count) return [...texts];
  return [...texts.slice(0, count), `and ${texts.length - count} more kinds of problems`];
}

function sentence(where: string, text: string): string {
  return where === '' ? text : `${where}: ${text}`;
}

function written(path: Problem['path'], indexText: (index: number) => string): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${indexText(step)}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
}
