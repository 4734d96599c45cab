// Runs a measurement on several subjects in turn, so that other load of the machine affects all of them alike. Each
// round begins with another subject.

/** Rounds that are not counted, until compilers, caches and pools have settled. */
export const warmUps = 3;

export async function interleave(runs, subjects, measure) {
  const names = Object.keys(subjects);
  const samples = Object.fromEntries(names.map((name) => [name, []]));
  for (let run = -warmUps; run < runs; run += 1) {
    for (let step = 0; step < names.length; step += 1) {
      const name = names[(run + warmUps + step) % names.length];
      const sample = await measure(subjects[name], name);
      if (run >= 0) samples[name].push(sample);
    }
  }
  return samples;
}
