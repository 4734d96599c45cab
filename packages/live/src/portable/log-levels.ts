// The levels of log messages to clients. Needs neither Node nor the SDK.

/** In order of severity, the least severe first. */
export const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
