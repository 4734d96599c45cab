// Generated documents with any content, for properties of all documents.
import fc from 'fast-check';

const value = fc.jsonValue({ maxDepth: 3 });
const entries = fc.array(fc.dictionary(fc.string({ unit: 'binary' }), value), { maxLength: 3 });

export const documentsWith = (...always: ('uuid' | 'created_at')[]) =>
  fc
    .record(
      {
        uuid: fc.uuid(),
        created_at: fc
          .date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-01-01') })
          .map((date) => date.toISOString()),
        subject: fc.string({ unit: 'binary' }),
        parties: entries,
        dialog: entries,
        analysis: entries,
        attachments: entries,
        __proto__: value,
        extra: value,
      },
      { requiredKeys: always },
    )
    // As read from a file: -0, for example, becomes 0.
    .map((document): object => JSON.parse(JSON.stringify(document)));
