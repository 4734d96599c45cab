// Types computed from a template's text: its parameters, and a message for what is not supported in it.

/** Parameters of a template that the compiler does not know. */
export type AnyParams = Readonly<Record<string, string | undefined>>;

/** The parameters of a template: `'a://{x}{/y}{?z}'` gives `{ x: string; y?: string; z?: string }`. */
export type Params<T extends string> = string extends T
  ? AnyParams
  : // Through `infer`, so that it is printed as it is and not under a name of its own.
    Required<Expression<T>> & Optional<Expression<T>> extends infer P
    ? { [K in keyof P]: P[K] }
    : never;

/** `x` for `{x}`, `+x` for `{+x}`, and so on. */
type Expression<T extends string> = T extends `${string}{${infer E}}${infer Rest}` ? E | Expression<Rest> : never;

type Required<E extends string> = {
  [K in E as K extends `/${string}` | `?${string}` ? never : K extends `+${infer N}` ? N : K]: string;
};
type Optional<E extends string> = {
  [K in E as K extends `/${infer N}` ? N : K extends `?${infer List}` ? Listed<List> : never]?: string;
};
type Listed<List extends string> = List extends `${infer N},${infer Rest}` ? N | Listed<Rest> : List;

/** The template itself, or a sentence that says what is wrong with it. */
export type Supported<T extends string> = string extends T
  ? T
  : T extends `${string}${'?' | '#'}${string}{?${string}`
    ? 'A query is written either as it is or as {?a,b}, not as both'
    : T extends `${infer Scheme}:${infer Rest}`
      ? Scheme extends `${string}{${string}`
        ? 'A template starts with a scheme, as in notes://{name}'
        : Fault<Rest, '', never> extends infer F
          ? [F] extends [never]
            ? T
            : F
          : never
      : 'A template starts with a scheme, as in notes://{name}';

/** `Before` is the text before `T` since the last variable, `Seen` the names so far. */
type Fault<T extends string, Before extends string, Seen extends string> = T extends `${infer Literal}{${infer Rest}`
  ? Rest extends `${infer E}}${infer After}`
    ? ExpressionFault<E, `${Before}${Literal}`, After, Seen>
    : 'A template has a { without its }'
  : T extends `${string}}${string}`
    ? 'A template has a } without its {'
    : never;

/** Markers for the part before a template's next part. */
type InSegment = '{x}';

type ExpressionFault<
  E extends string,
  Before extends string,
  After extends string,
  Seen extends string,
> = E extends `${string}${'*' | ':'}${string}`
  ? `{${E}} is not supported: write {name}, {+rest}, {/optional} or {?a,b}`
  : E extends `?${infer List}`
    ? After extends ''
      ? ListFault<List, Seen>
      : `{${E}} must come last`
    : E extends `+${infer N}`
      ? Before extends '' | `${string}/`
        ? After extends '' | `{?${string}`
          ? NameFault<N, Seen, Fault<After, '', Seen | N>>
          : `{${E}} must come last`
        : `{${E}} must be a whole segment`
      : E extends `/${infer N}`
        ? After extends '' | `{/${string}` | `{?${string}`
          ? NameFault<N, Seen, Fault<After, '', Seen | N>>
          : `only optional segments can follow {${E}}`
        : `${LastSegment<Before>}${FirstSegment<After>}` extends `${string}${'?' | '#'}${string}`
          ? `there is a query or fragment beside {${E}}: write a query as {?a,b}`
          : Before extends `${string}${InSegment}${infer Between}`
            ? Between extends `${string}/${string}`
              ? NameFault<E, Seen, Fault<After, InSegment, Seen | E>>
              : `{${E}} is the second variable of its segment`
            : NameFault<E, Seen, Fault<After, InSegment, Seen | E>>;

type LastSegment<T extends string> = T extends `${string}/${infer Rest}` ? LastSegment<Rest> : T;
type FirstSegment<T extends string> = T extends `${infer S}${'/' | '{'}${string}` ? S : T;

type NameFault<N extends string, Seen extends string, Further> = N extends Seen
  ? `{${N}} is there twice`
  : N extends
        | ''
        | '__proto__'
        | `${string}${',' | '.' | ' ' | '-'}${string}`
        | `${'#' | ';' | '&' | '?' | '|' | '=' | '!' | '@'}${string}`
    ? `{${N}} is not supported: write {name}, {+rest}, {/optional} or {?a,b}`
    : Further;

type ListFault<List extends string, Seen extends string> = List extends `${infer N},${infer Rest}`
  ? NameFault<N, Seen, ListFault<Rest, Seen | N>>
  : NameFault<List, Seen, never>;
