import { Badge } from '@mantine/core';
import { texts } from '../texts/texts.js';
import { useRecordNames } from '../ui/record-names.js';
import type { Definition } from './definition.js';
import { clientIdsIn } from '../conditions/draft.js';
import { ifText, stepText, whenText } from './words.js';
import ruleStyles from '../ui/rule.module.css';

/** The whole workflow as a sentence; it follows the form. */
export function WorkflowWords({ definition, isUnsaved = false }: { definition: Definition; isUnsaved?: boolean }) {
  const { trigger, conditions, steps } = definition;
  const nameOf = useRecordNames(['member', 'schedule', 'policy', 'team', 'integration'], clientIdsIn(conditions));
  const condition = ifText(conditions, nameOf);
  const workflows = texts.workflows;
  const [first] = steps;
  return (
    <section className={ruleStyles.words} aria-label={workflows.inWords}>
      <p>
        <strong>{workflows.when}</strong> {whenText(trigger.events)},{' '}
        {condition !== null && (
          <>
            <strong>{workflows.if}</strong> {condition},{' '}
          </>
        )}
        <strong>{workflows.then}</strong>
        {steps.length > 1 ? ':' : ` ${first === undefined ? workflows.nothingYet : stepText(first, nameOf)}.`}
        {isUnsaved && (
          <Badge size="sm" variant="outline" ml="xs">
            {workflows.unsaved}
          </Badge>
        )}
      </p>
      {steps.length > 1 && (
        <ol>
          {steps.map((step, index) => (
            <li key={index}>{stepText(step, nameOf)}</li>
          ))}
        </ol>
      )}
    </section>
  );
}
