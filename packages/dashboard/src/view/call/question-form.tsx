// The questions of a server during a call: a form to fill in, or a page to visit.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Answers, Question } from '../../hub/questions.ts';
import { useProblem } from '../element/use-problem.ts';
import { FieldInputs, type FilledIn } from './field-inputs.tsx';
import { ProblemNote } from '../element/problem-note.tsx';
import { argumentsFrom, defaultsOf, fieldsOf } from './schema-fields.ts';

interface QuestionFormProps {
  questions: readonly Question[];
  onAnswer(this: void, answers: Answers): void;
}

export function QuestionForm({ questions, onAnswer }: QuestionFormProps): JSX.Element {
  const asked = questions.map((question) => ({ ...question, fields: fieldsOf(question.schema) }));
  // Servers expect the defaults of their forms to be filled in.
  const [filled, setFilled] = useState<Readonly<Record<string, FilledIn>>>(() =>
    Object.fromEntries(asked.map(({ key, fields }) => [key, defaultsOf(fields)])),
  );
  const { problem, attempt } = useProblem();
  const accept = (event: Event) => {
    event.preventDefault();
    void attempt(() => {
      const answers = asked.map(({ key, fields, url }) => {
        const content = url === undefined && { content: argumentsFrom(fields, filled[key] ?? {}) };
        return [key, { action: 'accept' as const, ...content }] as const;
      });
      onAnswer(Object.fromEntries(answers));
    });
  };
  const decline = () => onAnswer(Object.fromEntries(asked.map(({ key }) => [key, { action: 'decline' as const }])));
  return (
    <form class="question" aria-label="Question of the server" onSubmit={accept}>
      <h3>The server asks</h3>
      {asked.map(({ key, message, url, fields }) => (
        <div key={key}>
          <p class="description">{message}</p>
          {url !== undefined && <Page url={url} />}
          <FieldInputs
            fields={fields}
            filled={filled[key] ?? {}}
            onChange={(changed) => setFilled({ ...filled, [key]: changed })}
          />
        </div>
      ))}
      <div class="actions">
        <button type="submit" class="button strong">
          Accept
        </button>
        <button type="button" class="button" onClick={decline}>
          Decline
        </button>
      </div>
      <ProblemNote text={problem} />
    </form>
  );
}

/** Shows the whole address, so that the user can judge it before opening it. */
function Page({ url }: { url: string }): JSX.Element {
  const isWeb = /^https?:\/\//i.test(url);
  return (
    <p>
      {isWeb ? (
        <a href={url} target="_blank" rel="noopener noreferrer">
          {url}
        </a>
      ) : (
        <code>{url}</code>
      )}
      <span class="faint"> Accept once you have done there what the server asks.</span>
    </p>
  );
}
