import { describe, expect, it } from 'vitest';
import { expectedFailures } from './expected-failures.ts';
import { type Check, misplaced, problemsOf } from './verdict.ts';

const passed: Check = { id: 'a', description: 'A is so', status: 'SUCCESS' };
const failed: Check = { id: 'b', description: 'B is so', status: 'FAILURE', errorMessage: 'B is not so' };
const warned: Check = { id: 'c', description: 'C should be so', status: 'WARNING' };
const skipped: Check = { id: 'd', description: 'D', status: 'SKIPPED' };

describe('the list of expected failures', () => {
  it('holds only scenarios of optional extensions', () => {
    expect(misplaced(expectedFailures)).toEqual([]);
  });

  it('refuses any other scenario', () => {
    const entries = ['tools-list', 'tasks-lifecycle', 'sep-2640-skills-manifest', 'server-stateless', 'subtasks-x'];
    expect(misplaced(entries)).toEqual(['tools-list', 'server-stateless', 'subtasks-x']);
  });
});

describe('the verdict on a scenario', () => {
  it('is positive if every check passed', () => {
    expect(problemsOf([passed, passed], 'scored')).toEqual([]);
  });

  it('names the failed check', () => {
    expect(problemsOf([passed, failed], 'scored')).toEqual(['FAILURE b: B is not so']);
    expect(problemsOf([passed, failed], 'unscored')).toEqual(['FAILURE b: B is not so']);
  });

  it('counts a warning as a failure only in a scored scenario', () => {
    expect(problemsOf([passed, warned], 'scored')).toEqual(['WARNING c: C should be so']);
    expect(problemsOf([passed, warned], 'unscored')).toEqual([]);
  });

  it('is negative if no check ran', () => {
    expect(problemsOf([skipped], 'scored')).toEqual(['Not one check passed.']);
    expect(problemsOf([], 'scored')).toEqual(['Not one check passed.']);
  });

  it('is negative if the scenario did not run', () => {
    for (const expectation of ['scored', 'unscored', 'fails'] as const) {
      expect(problemsOf(undefined, expectation)).toHaveLength(1);
    }
  });

  it('is negative if an expected failure passes', () => {
    expect(problemsOf([passed, failed], 'fails')).toEqual([]);
    expect(problemsOf([passed], 'fails')).toHaveLength(1);
  });
});
