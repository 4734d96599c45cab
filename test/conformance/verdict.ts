// The failures of a scenario, and which scenarios may fail.

export interface Check {
  id: string;
  description: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string | undefined;
}

type Expectation = 'scored' | 'unscored' | 'fails';

/** Scenarios of optional extensions: tasks and skills. */
const optionalScenario = /^(tasks|sep-2640-skills)-/;

/** Entries that may not be in a list of expected failures. */
export function misplaced(expectedFailures: readonly string[]): string[] {
  return expectedFailures.filter((scenario) => !optionalScenario.test(scenario));
}

/** Everything that differs from the expectation, in words; empty if the scenario is as expected. */
export function problemsOf(checks: readonly Check[] | undefined, expectation: Expectation): string[] {
  if (checks === undefined) return ['The suite could not run this scenario.'];
  const failures = checks.filter(({ status }) => status === 'FAILURE').map(describe);
  if (expectation === 'unscored') return failures;
  if (expectation === 'fails') {
    return failures.length > 0 ? [] : ['It is listed as an expected failure, but passes: take it off the list.'];
  }
  // A warning is an unmet SHOULD. The suite would let it pass; the kit must meet them all.
  const warnings = checks.filter(({ status }) => status === 'WARNING').map(describe);
  const passed = checks.some(({ status }) => status === 'SUCCESS');
  return [...failures, ...warnings, ...(passed ? [] : ['Not one check passed.'])];
}

function describe({ id, description, status, errorMessage }: Check): string {
  return `${status} ${id}: ${errorMessage ?? description}`;
}
