// The contract's schemas of the hub's responses, in a strict form that refuses unknown members.
import {
  clientStatus,
  clientsAnswer,
  definitionsAnswer,
  eventsAnswer,
  listedResource,
  serverStatus,
  shownDefinition,
  keptVersion,
  versionsAnswer,
} from '@tidings/client/contract';
import { z } from 'zod';

export const serverSchema = z.strictObject(serverStatus.shape);
export const serversSchema = z.strictObject({
  servers: z.array(serverSchema),
  configFile: z.string().nullable().optional(),
});
export const resourcesSchema = z.strictObject({
  resources: z.array(z.strictObject(listedResource.shape)),
  total: z.number(),
  next_cursor: z.string().nullable(),
});
export const eventsSchema = z.strictObject(eventsAnswer.shape);
export const definitionsSchema = z.strictObject({
  ...definitionsAnswer.shape,
  held: z.array(z.strictObject(shownDefinition.shape)),
});
export const versionsSchema = z.strictObject({
  ...versionsAnswer.shape,
  versions: z.array(z.strictObject(keptVersion.shape)),
});
export const clientsSchema = z.strictObject({
  ...clientsAnswer.shape,
  clients: z.array(z.strictObject(clientStatus.shape)),
});
