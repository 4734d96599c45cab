// Settings as tool arguments: any JSON object. The schema for clients says only that, since not every host can read a
// recursive schema.
import { z } from 'zod';

export const settings = z.record(z.string(), z.unknown()).pipe(z.record(z.string(), z.json()));
