// The tests' client of run-services.ts.

/** The environment variable with the address of the services. */
export const servicesVariable = 'TIDINGS_TEST_SERVICES';

/** Starts the service at the first request. */
export async function sharedService(
  name: 'postgres' | 'packages' | 'publishing' | `program?${string}`,
): Promise<unknown> {
  const address = process.env[servicesVariable];
  if (address === undefined) throw new Error(`${servicesVariable} is not set: run the tests with vitest.config.ts.`);
  const answer = await fetch(`${address}/${name}`);
  if (!answer.ok) throw new Error(`Of ${name}: ${await answer.text()}`);
  return answer.json();
}
