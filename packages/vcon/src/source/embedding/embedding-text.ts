// The text of a vCon that its vector is computed from: the subject first, since models read only a limited length.
import { type JsonObject, isList } from '../../model/json.ts';
import { searchableText } from '../../model/searchable-text.ts';
import { ofType } from '../topics.ts';

/** About two thousand tokens. */
const longestInput = 8000;

/** Undefined for a document without text. */
export function embeddingText(document: JsonObject): string | undefined {
  const analysis = isList(document['analysis']) ? document['analysis'] : [];
  const summaries = ofType(analysis, 'summary');
  const first = searchableText({ head: document, dialog: undefined, analysis: summaries });
  const others = analysis.filter((entry) => !summaries.includes(entry));
  const rest = searchableText({ head: {}, dialog: document['dialog'], analysis: others });
  const text = `${first}\n${rest}`.trim().slice(0, longestInput).toWellFormed();
  return text === '' ? undefined : text;
}
