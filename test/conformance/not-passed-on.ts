// Scenarios that the fixture passes and the hub in front of it does not, by the era of the fixture. Only while they
// fail may they stand here.
import type { Era } from '@tidings/live/testing';
import type { Revision } from './suite.ts';

export const notPassedOn: Readonly<Record<Revision, Readonly<Record<Era, readonly string[]>>>> = {
  '2025-11-25': { modern: [], legacy: [] },
  // It looks for the name that the fixture has for its question. In the 2025 era questions have none.
  '2026-07-28': { modern: [], legacy: ['input-required-result-basic-elicitation'] },
};
