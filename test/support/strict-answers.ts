// The answers of the hub's API, read so that nothing may be in them that the contract does not name.
import {
  definitionsAnswer,
  eventsAnswer,
  listedResource,
  serverStatus,
  shownDefinition,
} from '@tidings/client/contract';
import { z } from 'zod';

export const serverSchema = z.strictObject(serverStatus.shape);
export const serversSchema = z.strictObject({ servers: z.array(serverSchema) });
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
