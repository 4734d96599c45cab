// Scenarios that fail because the kit does not have the optional tasks extension. Only scenarios of optional
// extensions may be listed, and only while they fail.
export const expectedFailures: readonly string[] = [
  'tasks-lifecycle',
  'tasks-capability-negotiation',
  'tasks-wire-fields',
  'tasks-request-state-removal',
  'tasks-mrtr-input',
  'tasks-request-headers',
  'tasks-dispatch-and-envelope',
  'tasks-required-task-error',
  'tasks-mrtr-composition',
];
