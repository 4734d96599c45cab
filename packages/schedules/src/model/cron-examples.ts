// The content of `cron://examples`.

export const cronExamples = {
  examples: [
    { expression: '0 9 * * *', description: 'every day at 09:00' },
    { expression: '0 9 * * 1-5', description: 'every weekday at 09:00' },
    { expression: '*/15 * * * *', description: 'every 15 minutes' },
    { expression: '0 */2 * * *', description: 'every second hour, on the hour' },
    { expression: '30 18 * * 5', description: 'every Friday at 18:30' },
    { expression: '0 8 1 * *', description: 'on the first of every month at 08:00' },
    { expression: '0 0 1 1 *', description: 'at the beginning of every year' },
    { expression: '0 12 * * 0', description: 'every Sunday at noon' },
    { expression: '0 9,17 * * *', description: 'every day at 09:00 and at 17:00' },
    { expression: '0 9 L * *', description: 'on the last day of every month at 09:00' },
  ],
  format_help:
    'Five fields: minute (0-59), hour (0-23), day of month (1-31), month (1-12 or JAN-DEC), day of week (0-7 or SUN-SAT; 0 and 7 are Sunday). ' +
    'Each is *, a number, a range (1-5), a list (1,3,5) or a step (*/15). If both days are given, either one is enough. ' +
    'Times are in the time zone of the schedule. A daily time that clocks skip in spring fires when they have gone forward; one that comes twice in autumn fires once.',
} as const;
