// Scenarios that the fixture passes and the hub in front of it does not, by the era of the fixture: those in which a
// 2025-era server asks something of its client. Only while they fail may they stand here.
import type { Era } from '@tidings/live/testing';
import type { Revision } from './suite.ts';

export const notPassedOn: Readonly<Record<Revision, Readonly<Record<Era, readonly string[]>>>> = {
  '2025-11-25': {
    modern: [],
    legacy: [
      'elicitation-sep1034-defaults',
      'elicitation-sep1330-enums',
      'tools-call-elicitation',
      'tools-call-sampling',
      'tools-call-with-logging',
    ],
  },
  '2026-07-28': {
    modern: [],
    legacy: [
      'input-required-result-basic-elicitation',
      'input-required-result-basic-list-roots',
      'input-required-result-basic-sampling',
      'input-required-result-capability-check',
      'input-required-result-multi-round',
      'input-required-result-multiple-input-requests',
      'input-required-result-non-tool-request',
      'input-required-result-request-state',
      'input-required-result-result-type',
      'input-required-result-tampered-state',
      // One of its checks calls a tool that asks for a capability.
      'server-stateless',
    ],
  },
};
