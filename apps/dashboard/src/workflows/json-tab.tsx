import schema from 'schema:PutWorkflow';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { draftOf } from '../conditions/draft.js';
import { texts } from '../texts/texts.js';
import { faultsOf } from '../ui/form-faults.js';
import { JsonEditor } from '../ui/json-editor.js';
import { notifyDone } from '../ui/notify.js';
import { definitionOf, type Definition } from './definition.js';
import type { WorkflowFormState } from './use-workflow-form.js';
import ruleStyles from '../ui/rule.module.css';

const { json } = texts.workflows;

/** Trigger, conditions and steps as JSON; changes go into the form, which checks and saves them. */
export function JsonTab({ form, canWrite }: { form: WorkflowFormState; canWrite: boolean }) {
  const { trigger, conditions, steps } = definitionOf(form.values);
  const present = JSON.stringify({ trigger, conditions, steps }, null, 2);
  const [typed, setTyped] = useState(present);
  const [fault, setFault] = useState<string | null>(null);
  const use = (): void => {
    const read = definitionIn(typed);
    if (typeof read === 'string') return setFault(json.invalid(read));
    setFault(null);
    form.set('trigger', read.trigger);
    form.set('conditions', draftOf(read.conditions));
    form.set('steps', read.steps);
    notifyDone(json.used);
  };
  return (
    <div className={ruleStyles.fields}>
      <p className={ruleStyles.hint}>{json.intro}</p>
      <JsonEditor label={json.label} value={typed} onChange={setTyped} readOnly={!canWrite} />
      {fault !== null && (
        <p role="alert" className={ruleStyles.fault}>
          {fault}
        </p>
      )}
      {canWrite && (
        <div>
          <Button onClick={use} disabled={typed === present}>
            {json.use}
          </Button>
        </div>
      )}
    </div>
  );
}

/** The definition, or the first fault. */
function definitionIn(text: string): Pick<Definition, 'trigger' | 'conditions' | 'steps'> | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return (error as Error).message;
  }
  const [fault] = faultsOf(schema, value);
  if (fault) return fault.message;
  const given = value as Partial<Definition>;
  const { trigger, conditions = null, steps } = given;
  if (!trigger || !steps) return `${trigger ? 'steps' : 'trigger'} is missing`;
  return { trigger, conditions, steps };
}
