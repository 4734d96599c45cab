// Arguments that several tools take.
import { toolArguments } from '@tidings/live/internal';
import { z } from 'zod';
import { checkTries } from '../model/tries.ts';
import type { Destinations } from '../source/destination/destinations.ts';

export const messageArgument = z.string().describe('What the notification says.');

export const destinationArgument = z
  .string()
  .describe('The name of a destination, such as "team-chat"; see list_destinations. Default: that of the topic.');

export const notification = toolArguments({
  message: messageArgument,
  notification_topic: z.string().describe('Who gets it: lower-case words with hyphens, such as "team-alerts".'),
  destination: destinationArgument.optional(),
});

export const triesArgument = z
  .number()
  .describe('How often the delivery is tried at most, 1 to 20. Default: as the destination is set, usually 5.');

export const oneOffTimes = {
  delay: z.string().optional().describe('Such as "30s", "10m", "2h" or "1h30m".'),
  datetime: z.string().optional().describe('ISO 8601 with an offset or Z.'),
  date: z.string().optional().describe('Such as "2026-12-24".'),
  time: z.string().optional().describe('Such as "18:00".'),
};

export const scheduleId = toolArguments({
  schedule_id: z.string().describe('As returned when it was made, or listed.'),
});

interface DestinationChoice {
  destination?: string | undefined;
  tries?: number | undefined;
}

export function checkChoice({ destination, tries }: DestinationChoice, destinations: Destinations): DestinationChoice {
  return {
    destination: destination === undefined ? undefined : destinations.check(destination),
    tries: tries === undefined ? undefined : checkTries(tries),
  };
}
