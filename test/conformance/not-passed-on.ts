// Scenarios that the fixture passes and the hub in front of it does not: those in which the server asks
// something of its client, or writes to the client's log. Many clients share the hub's one connection to a
// server, so neither has one client to go to, and the hub advertises neither. Only while they fail may they
// stand here.
import type { Revision } from './suite.ts';

export const notPassedOn: Readonly<Record<Revision, readonly string[]>> = {
  '2025-11-25': [
    'elicitation-sep1034-defaults',
    'elicitation-sep1330-enums',
    'logging-set-level',
    'tools-call-elicitation',
    'tools-call-sampling',
    'tools-call-with-logging',
  ],
  '2026-07-28': [
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
};
