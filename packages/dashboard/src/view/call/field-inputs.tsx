// The inputs of a form for a schema. Their values are text; schema-fields.ts converts them to arguments.
import type { JSX } from 'preact';
import { type SchemaField, valueIn } from './schema-fields.ts';

export type FilledIn = Readonly<Record<string, string>>;

interface FieldInputsProps {
  fields: readonly SchemaField[];
  filled: FilledIn;
  onChange(this: void, filled: FilledIn): void;
}

export function FieldInputs({ fields, filled, onChange }: FieldInputsProps): JSX.Element | null {
  if (fields.length === 0) return null;
  return (
    <div class="fields">
      {fields.map((field) => {
        const { name, title, isRequired, description, kind } = field;
        const value = valueIn(filled, name);
        const change = (text: string) => onChange({ ...filled, [name]: text });
        const words = `${title}${isRequired ? ' (required)' : ''}`;
        const hint = description !== '' && <span class="faint">{description}</span>;
        if (kind === 'choices')
          return (
            <fieldset key={name}>
              <legend>{words}</legend>
              <Choices field={field} value={value} onChange={change} />
              {hint}
            </fieldset>
          );
        return (
          <label key={name} class="field">
            <span>{words}</span>
            <Input field={field} value={value} onChange={change} />
            {hint}
          </label>
        );
      })}
    </div>
  );
}

interface InputProps {
  field: SchemaField;
  value: string;
  onChange(this: void, value: string): void;
}

function Input({ field, value, onChange }: InputProps): JSX.Element {
  const { kind, choices, isRequired, byDefault, inputType } = field;
  if (kind === 'choice' || kind === 'boolean') {
    const all = kind === 'boolean' ? ['true', 'false'].map((each) => ({ value: each, label: each })) : choices;
    return (
      <select value={value} required={isRequired} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        <option value="">{isRequired ? 'Choose…' : byDefault === '' ? 'Not given' : `Not given: ${byDefault}`}</option>
        {all.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    );
  }
  if (kind === 'json') {
    return (
      <textarea
        class="search"
        rows={3}
        placeholder={byDefault === '' ? 'JSON' : byDefault}
        spellcheck={false}
        required={isRequired}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  }
  const common = {
    class: 'search',
    placeholder: byDefault,
    required: isRequired,
    value,
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) => onChange(currentTarget.value),
  };
  switch (inputType) {
    case 'email':
      return <input type="email" {...common} />;
    case 'url':
      return <input type="url" {...common} />;
    case 'date':
      return <input type="date" {...common} />;
    default:
      return <input type="text" inputMode={kind === 'number' ? 'decimal' : undefined} {...common} />;
  }
}

/** Checkboxes for a list; the value is a JSON list of the chosen entries. */
function Choices({ field: { choices }, value, onChange }: InputProps): JSX.Element {
  const chosen = new Set(value === '' ? [] : listIn(value));
  const toggle = (each: string, isChosen: boolean) => {
    if (isChosen) chosen.add(each);
    else chosen.delete(each);
    onChange(JSON.stringify(choices.map((choice) => choice.value).filter((other) => chosen.has(other))));
  };
  return (
    <>
      {choices.map((choice) => (
        <label key={choice.value} class="choice">
          <input
            type="checkbox"
            checked={chosen.has(choice.value)}
            onChange={({ currentTarget }) => toggle(choice.value, currentTarget.checked)}
          />
          {choice.label}
        </label>
      ))}
    </>
  );
}

function listIn(text: string): string[] {
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
