/** Tests the stored workflow with a past alert, an incident, or a payload; the address may name the alert. */
import { Button, NativeSelect, SegmentedControl, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import type { Body } from '../api/operation-types.js';
import { read } from '../api/queries.js';
import { useAct } from '../api/use-act.js';
import type { WorkflowEvent } from '../conditions/fields.js';
import { texts } from '../texts/texts.js';
import { errorText } from '../ui/error-state.js';
import { JsonEditor } from '../ui/json-editor.js';
import { RecordChoice } from '../ui/record-choice.js';
import { workflowEvents, type Workflow } from './definition.js';
import { payloadExample, testBody, type Subject, type TestInput } from './test-input.js';
import { TestResult } from './test-result.js';
import { workflowRoute } from './workflows.routes.js';
import ruleStyles from '../ui/rule.module.css';
import styles from './workflows.module.css';

const { test } = texts.workflows;

export function TestTab({ workflow, isChanged }: { workflow: Workflow; isChanged: boolean }) {
  const { alert } = workflowRoute.useSearch();
  const [input, setInput] = useState<TestInput>({
    subject: 'alert',
    alertId: alert ?? null,
    incidentId: null,
    payload: payloadExample,
    integrationId: null,
    event: null,
  });
  const [fault, setFault] = useState<string | null>(null);
  const run = useAct('testWorkflow');
  const change = (changed: Partial<TestInput>): void => {
    setFault(null);
    setInput((before) => ({ ...before, ...changed }));
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const body = testBody(input);
    if (body.kind === 'fault') return setFault(body.message);
    setFault(null);
    run.mutate({ path: { id: workflow.id }, body: body.body as Body<'testWorkflow'> });
  };
  return (
    <div className={styles.testGrid}>
      <form className={ruleStyles.fields} onSubmit={submit} noValidate>
        <p className={ruleStyles.hint}>
          {test.intro} {isChanged && test.savedOnly}
        </p>
        <SegmentedControl
          aria-label={test.subject}
          value={input.subject}
          data={(['alert', 'payload', 'incident'] as const).map((value) => ({ value, label: test.subjects[value] }))}
          onChange={(subject) => change({ subject: subject as Subject })}
        />
        {input.subject === 'alert' && (
          <RecordSearch
            operation="listAlerts"
            label={test.alert}
            value={input.alertId}
            onChange={(alertId) => change({ alertId })}
          />
        )}
        {input.subject === 'incident' && (
          <RecordSearch
            operation="listIncidents"
            label={test.incident}
            value={input.incidentId}
            onChange={(incidentId) => change({ incidentId })}
          />
        )}
        {input.subject === 'payload' && (
          <>
            <RecordChoice
              noun="integration"
              label={test.integration}
              placeholder={test.standard}
              clearable
              value={input.integrationId}
              onChange={(integrationId) => change({ integrationId })}
            />
            <JsonEditor label={test.payload} value={input.payload} onChange={(payload) => change({ payload })} />
          </>
        )}
        <NativeSelect
          label={test.event}
          value={input.event ?? ''}
          data={[
            { value: '', label: test.eventDefault },
            ...workflowEvents.map((value) => ({ value, label: texts.workflows.eventTexts[value] })),
          ]}
          onChange={({ currentTarget }) => change({ event: (currentTarget.value || null) as WorkflowEvent | null })}
        />
        <div>
          <Button type="submit" size="sm" loading={run.isPending}>
            {test.run}
          </Button>
        </div>
        {(fault ?? run.error) !== null && (
          <p role="alert" className={ruleStyles.fault}>
            {fault ?? (run.error?.fields[0]?.message || errorText(run.error))}
          </p>
        )}
      </form>
      <div aria-live="polite">{run.data && <TestResult result={run.data.data} />}</div>
    </div>
  );
}

interface RecordSearchProps {
  operation: 'listAlerts' | 'listIncidents';
  label: string;
  value: string | null;
  onChange: (id: string | null) => void;
}

/** The latest records, or those whose text has what is typed. */
function RecordSearch({ operation, label, value, onChange }: RecordSearchProps) {
  const [search, setSearch] = useState('');
  const [q] = useDebouncedValue(search.trim(), 250);
  const found = useQuery({
    ...read(operation as 'listAlerts', { query: { limit: 30, ...(q !== '' && { q }) } }),
    placeholderData: keepPreviousData,
  });
  const rows = found.data ?? [];
  const isKnown = value === null || rows.some(({ id }) => id === value);
  return (
    <Select
      label={label}
      placeholder={test.alertHint}
      searchable
      clearable
      filter={({ options }) => options}
      nothingFoundMessage={texts.ui.nothingFound}
      value={value}
      onSearchChange={setSearch}
      onChange={onChange}
      data={[
        ...rows.map(({ id, title, severity }) => ({ value: id, label: `${title} · ${texts.ui.severity[severity]}` })),
        ...(isKnown ? [] : [{ value, label: value }]),
      ]}
    />
  );
}
