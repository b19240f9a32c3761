/**
 * The state of a form whose values are the body of an operation. Faults appear when a field was changed and left, or the
 * form was sent: first those of the schema, then those of the API's answer, at the same fields and in the same form.
 *
 *   const form = useForm<Body<'createClient'>>({ schema, initial: { name: '' }, send: (body) => create.mutateAsync({ body }) });
 *   <form onSubmit={form.submit}><TextInput {...form.field('name')} label={texts.clients.name} /></form>
 */
import type { Schema } from '@cfworker/json-schema';
import { useEffect, useState, type FormEvent } from 'react';
import { ApiError, messagesByPath, type FieldFault } from '../api/api-error.js';
import type { faultsOf } from './form-faults.js';

export interface FormOptions<Values extends object> {
  schema: Schema;
  initial: Values;
  send: (values: Values) => Promise<unknown>;
  /** What the values become before they are checked and sent; for example without empty texts. */
  toBody?: (values: Values) => unknown;
}

export interface FieldProps<Value> {
  name: string;
  value: Value;
  error: string | undefined;
  onBlur: () => void;
}

export interface Form<Values extends object> {
  values: Values;
  set: <Name extends keyof Values>(name: Name, value: Values[Name]) => void;
  /** Props of an input of text. */
  field: <Name extends keyof Values & string>(
    name: Name,
  ) => FieldProps<string> & { onChange: (event: { currentTarget: { value: string } }) => void };
  /** The fault at a path, such as `contacts[0].email`. */
  errorAt: (path: string) => string | undefined;
  /** Faults at no field that `field` or `errorAt` was asked for, and errors that are about no field. */
  error: ApiError | null;
  /** Whether it was sent and some fields have faults, also those that are not on the screen. */
  hasFaults: boolean;
  isSending: boolean;
  isChanged: boolean;
  submit: (event?: FormEvent) => void;
  reset: (values?: Values) => void;
}

export function useForm<Values extends object>(options: FormOptions<Values>): Form<Values> {
  const { schema, initial, send, toBody = (values) => values } = options;
  const [start, setStart] = useState(initial);
  const [values, setValues] = useState(initial);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [isSent, setIsSent] = useState(false);
  const [answered, setAnswered] = useState<readonly FieldFault[]>([]);
  const [error, setError] = useState<ApiError | null>(null);
  const [isSending, setIsSending] = useState(false);

  const [check, setCheck] = useState<typeof faultsOf>();
  useEffect(() => {
    void checker().then((loaded) => setCheck(() => loaded));
  }, []);
  const faults = check?.(schema, toBody(values)) ?? [];
  const shown = faults.filter(({ path }) => isSent || left.has(rootOf(path)));
  const messages = messagesByPath([...shown, ...answered]);

  const set: Form<Values>['set'] = (name, value) => {
    setValues((before) => ({ ...before, [name]: value }));
    setAnswered((before) => before.filter(({ path }) => rootOf(path) !== name));
  };
  const submit = async (): Promise<void> => {
    setIsSent(true);
    setError(null);
    setAnswered([]);
    if (isSending) return;
    setIsSending(true);
    try {
      if ((await checker())(schema, toBody(values)).length > 0) return;
      await send(values);
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      setAnswered(failure.fields);
      if (failure.fields.length === 0) setError(failure);
    } finally {
      setIsSending(false);
    }
  };
  return {
    values,
    set,
    field: (name) => ({
      name,
      value: (values[name] as string | null | undefined) ?? '',
      error: messages[name],
      onBlur: () => {
        // A text that appears moves what is below: the click that leaves an untouched field would miss its target.
        if (values[name] !== start[name]) setLeft((before) => new Set(before).add(name));
      },
      onChange: ({ currentTarget }) => set(name, currentTarget.value as Values[typeof name]),
    }),
    errorAt: (path) => messages[path],
    error,
    hasFaults: (isSent && faults.length > 0) || answered.length > 0,
    isSending,
    isChanged: JSON.stringify(values) !== JSON.stringify(start),
    submit: (event) => {
      event?.preventDefault();
      void submit();
    },
    reset: (next = start) => {
      setStart(next);
      setValues(next);
      setLeft(new Set());
      setIsSent(false);
      setAnswered([]);
      setError(null);
    },
  };
}

/** Its library is loaded with the first form. */
const checker = async () => (await import('./form-faults.js')).faultsOf;

/** `contacts` of `contacts[0].email`. */
const rootOf = (path: string): string => path.split(/[.[]/, 1)[0] ?? '';
