// What counts as a failure of a scenario, and which scenarios may fail.

export interface Check {
  id: string;
  description: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string | undefined;
}

type Expectation = 'scored' | 'unscored' | 'fails';

/** Scenarios of optional extensions: tasks and skills. */
const optionalScenario = /^(tasks|sep-2640-skills)-/;

/** Entries that have no place in a list of expected failures. */
export function misplaced(expectedFailures: readonly string[]): string[] {
  return expectedFailures.filter((scenario) => !optionalScenario.test(scenario));
}

/** Everything that is not as expected, in words. Nothing is good. */
export function problemsOf(checks: readonly Check[] | undefined, expectation: Expectation): string[] {
  if (checks === undefined) return ['The suite could not run this scenario.'];
  const failures = checks.filter(({ status }) => status === 'FAILURE').map(describe);
  if (expectation === 'unscored') return failures;
  if (expectation === 'fails') {
    return failures.length > 0 ? [] : ['It is listed as an expected failure, but passes: take it off the list.'];
  }
  // A warning is a SHOULD that was not met. The suite would let it pass; the kit meets them all.
  const warnings = checks.filter(({ status }) => status === 'WARNING').map(describe);
  const passed = checks.some(({ status }) => status === 'SUCCESS');
  return [...failures, ...warnings, ...(passed ? [] : ['Not one check passed.'])];
}

function describe({ id, description, status, errorMessage }: Check): string {
  return `${status} ${id}: ${errorMessage ?? description}`;
}
