import { expect, it } from 'vitest';
import { z } from 'zod';
import { redactionSchema } from './redaction.ts';
import { analysisSchema, attachmentSchema, dialogSchema, partySchema, vconSchema } from './vcon.ts';

it.each(Object.entries({ vconSchema, partySchema, dialogSchema, analysisSchema, attachmentSchema, redactionSchema }))(
  '%s can be told to a model',
  (_, schema) => {
    expect(z.toJSONSchema(schema, { io: 'input' })).toMatchObject({ type: 'object' });
  },
);
