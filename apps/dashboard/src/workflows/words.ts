/** A workflow as sentences. */
import { conditionText, fieldText, isolated, listed } from '../conditions/words.js';
import type { Condition, WorkflowEvent } from '../conditions/fields.js';
import { texts } from '../texts/texts.js';
import type { NameOf } from '../ui/record-names.js';
import { duration } from '../ui/time.js';
import type { Target, WorkflowStep } from './definition.js';

const { sentence } = texts.workflows;

export const whenText = (events: readonly WorkflowEvent[]): string =>
  events.length === 0
    ? texts.workflows.noEvent
    : listed(
        events.map((event) => texts.workflows.eventTexts[event]),
        texts.conditions.or,
      );

/** Null when there is no condition. */
export const ifText = (condition: Condition | null, nameOf: NameOf): string | null =>
  condition === null ? null : conditionText(condition, nameOf);

/** `after 10m, notify Mira, unless it is acknowledged by then`. */
export function stepText(step: WorkflowStep, nameOf: NameOf): string {
  const { delaySeconds = 0, unless = [] } = step;
  let text = actText(step, nameOf);
  if (delaySeconds > 0) text = sentence.after(duration(delaySeconds), text);
  if (unless.length === 0) return text;
  return sentence.unless(
    listed(
      unless.map((state) => sentence.states[state]),
      texts.conditions.or,
    ),
    text,
  );
}

function actText(step: WorkflowStep, nameOf: NameOf): string {
  switch (step.type) {
    case 'page': {
      const policy = step.params?.policy ?? null;
      if (policy === null) return sentence.pageCatchAll;
      if ('teamFrom' in policy) return sentence.pageTeam(fieldText(policy.teamFrom));
      return sentence.pagePolicy(isolated(nameOf('policy', policy.id) ?? sentence.policy));
    }
    case 'notify':
      return sentence.notify(
        listed(
          step.params.targets.map((target) => targetText(target, nameOf)),
          texts.conditions.and,
        ) || sentence.somebody,
      );
    case 'openIncident':
      return sentence.openIncident;
    case 'webhook':
      return sentence.webhook(hostOf(step.params.url));
    case 'setSeverity':
      return sentence.setSeverity(texts.ui.severity[step.params.severity].toLowerCase());
    case 'addLabels':
      return sentence.addLabels(
        Object.entries(step.params.labels)
          .map(([name, value]) => isolated(`${name}: ${value}`))
          .join(', ') || texts.conditions.empty,
      );
    case 'assign':
      return 'scheduleId' in step.params
        ? sentence.assignSchedule(isolated(nameOf('schedule', step.params.scheduleId) ?? sentence.schedule))
        : sentence.assignMember(isolated(nameOf('member', step.params.userId) ?? sentence.member));
    case 'acknowledge':
      return sentence.acknowledge;
    case 'resolve':
      return sentence.resolve;
  }
}

export function targetText(target: Target, nameOf: NameOf): string {
  switch (target.type) {
    case 'user':
      return isolated(nameOf('member', target.id) ?? sentence.member);
    case 'schedule': {
      const name = isolated(nameOf('schedule', target.id) ?? sentence.schedule);
      return target.who === 'next' ? sentence.nextOnCall(name) : sentence.onCall(name);
    }
    case 'email':
      return typeof target.addressFrom === 'string'
        ? sentence.emailFrom(fieldText(target.addressFrom))
        : isolated(target.address || texts.conditions.empty);
    case 'channel':
      return sentence.channel[target.kind];
  }
}

function hostOf(url: string): string {
  return URL.canParse(url) ? isolated(new URL(url).host) : sentence.url;
}

/** All in one line, for a list. */
export function workflowText(
  workflow: { conditions: Condition | null; steps: readonly WorkflowStep[] },
  nameOf: NameOf,
): string {
  const condition = ifText(workflow.conditions, nameOf);
  const steps = workflow.steps.map((step) => stepText(step, nameOf)).join('; ');
  const { if: when, then } = texts.workflows;
  return condition === null ? steps : `${when} ${condition}, ${then} ${steps}`;
}
