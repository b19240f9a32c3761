import { Button, Group, Select, TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/call.js';
import { currentEnvironment } from '../api/context.js';
import { texts } from '../texts/texts.js';
import { EmptyState } from '../ui/empty-state.js';
import { ErrorState } from '../ui/error-state.js';
import { PageHeader } from '../ui/page-header.js';
import { RowsSkeleton } from '../ui/skeletons.js';
import { answerOf, labelOf, labelsIn } from './answer.js';
import { RoutingAnswer } from './routing-answer.js';
import { routingRoute, severities } from './routing.routes.js';
import styles from './routing.module.css';

/** For any labels: who would be paged now, and why. */
export function RoutingPage() {
  const { label = [], severity } = routingRoute.useSearch();
  const isAsked = severity !== undefined;
  const body = { alert: { title: texts.app.whoWouldBePaged, severity, labels: labelsIn(label) } };
  const simulation = useQuery({
    queryKey: ['simulate', currentEnvironment(), { body }],
    // The fingerprint is new, so that no open alert is in the way.
    queryFn: async ({ signal }) => {
      const alert = { ...body.alert, fingerprint: `routing-question-${crypto.randomUUID()}` };
      return (await call('simulate', { body: { alert } }, { signal })).data;
    },
    enabled: isAsked,
    staleTime: 0,
  });
  return (
    <>
      <PageHeader title={texts.app.whoWouldBePaged}>
        <Question
          key={JSON.stringify([label, severity])}
          label={label}
          severity={severity}
          again={() => void simulation.refetch()}
        />
      </PageHeader>
      <div className={styles.page}>
        {!isAsked && <EmptyState title={texts.routing.ask} hint={texts.routing.askHint} />}
        {isAsked && simulation.isPending && <RowsSkeleton />}
        {simulation.isError && <ErrorState error={simulation.error} retry={() => void simulation.refetch()} />}
        {simulation.data && <RoutingAnswer answer={answerOf(simulation.data.items[0])} labels={label} />}
      </div>
    </>
  );
}

interface QuestionProps {
  label: string[];
  severity: (typeof severities)[number] | undefined;
  again: () => void;
}

function Question({ label, severity = 'critical', again }: QuestionProps) {
  const navigate = routingRoute.useNavigate();
  const [labels, setLabels] = useState<string[]>(label);
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<(typeof severities)[number]>(severity);
  const all = [...labels, ...(labelOf(typed) === null ? [] : [labelOf(typed) ?? ''])];
  const isWrong = typed.trim() !== '' && labelOf(typed) === null;
  return (
    <form
      className={styles.question}
      onSubmit={(event) => {
        event.preventDefault();
        again();
        void navigate({ search: (before) => ({ ...before, label: all, severity: chosen }) });
      }}
    >
      <TagsInput
        className={styles.labels}
        label={texts.routing.labels}
        description={texts.routing.labelsHint}
        placeholder={labels.length === 0 ? 'team=payments' : ''}
        value={labels}
        splitChars={[]}
        searchValue={typed}
        onSearchChange={setTyped}
        onChange={(next) => setLabels(next.flatMap((text) => labelOf(text) ?? []))}
        error={isWrong && typed.includes(' ') ? texts.routing.labelForm : undefined}
        maxTags={50}
      />
      <Group align="end" gap="xs">
        <Select
          label={texts.routing.severity}
          w="8rem"
          allowDeselect={false}
          value={chosen}
          data={severities.map((value) => ({ value, label: texts.ui.severity[value] }))}
          onChange={(value) => setChosen(severities.find((each) => each === value) ?? 'critical')}
        />
        <Button type="submit" size="sm">
          {texts.routing.button}
        </Button>
      </Group>
    </form>
  );
}
