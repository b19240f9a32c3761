import schema from 'schema:PutSuppressionWindow';
import { useForm, type Form } from '../ui/use-form.js';
import { bodyOf, type WindowValues } from './window.js';

export type WindowFormState = Form<WindowValues>;

/** All fields are sent, so that the schema of a change checks a new window as well. */
export const useWindowForm = (options: {
  initial: WindowValues;
  send: (values: WindowValues) => Promise<unknown>;
}): WindowFormState => useForm<WindowValues>({ schema, toBody: bodyOf, ...options });
