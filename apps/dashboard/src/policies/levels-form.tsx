import { ActionIcon, Alert, Button, Group, NumberInput, Select, Stack, TextInput } from '@mantine/core';
import { TrashIcon } from '@radix-ui/react-icons';
import { useQuery } from '@tanstack/react-query';
import { all } from '../api/queries.js';
import { useCan } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { errorText } from '../ui/error-state.js';
import { OrderedList } from '../ui/ordered-list.js';
import type { Form } from '../ui/use-form.js';
import { inUnit, newLevel, newTarget, unitSeconds, type Level } from './levels.js';
import { TargetFields } from './target-fields.js';
import styles from './policies.module.css';

export interface PolicyDraft {
  name: string;
  description: string;
  teamId: string | null;
  levels: Level[];
  repeat: number;
  ackTimeoutSeconds: number | null;
}

export function LevelsForm({ form, isReadOnly }: { form: Form<PolicyDraft>; isReadOnly: boolean }) {
  const can = useCan();
  const { data: teams = [] } = useQuery({ ...all('listTeams'), enabled: can('listTeams') });
  const { levels, repeat, ackTimeoutSeconds, teamId } = form.values;
  const set = (next: Level[]): void => form.set('levels', next);
  const newId = (): string => `level-${crypto.randomUUID().slice(0, 8)}`;
  return (
    <form onSubmit={form.submit} noValidate id="levels" className={styles.form}>
      <fieldset disabled={isReadOnly} className={styles.bare}>
        <Stack gap="sm">
          {form.error && <Alert color="red">{errorText(form.error)}</Alert>}
          <div className={styles.pair}>
            <TextInput label={texts.policies.name} {...form.field('name')} />
            <Select
              label={texts.onCall.team}
              clearable
              searchable
              value={teamId}
              data={teams.map(({ id, name, slug }) => ({ value: id, label: `${name} (${slug})` }))}
              onChange={(value) => form.set('teamId', value)}
              error={form.errorAt('teamId')}
            />
          </div>
          <h2 className={styles.section}>{texts.policies.levels}</h2>
          <OrderedList
            label={texts.policies.levels}
            items={levels}
            keyOf={({ id }) => id}
            nameOf={({ id }) => texts.policies.level(levels.findIndex((level) => level.id === id) + 1)}
            onChange={set}
          >
            {(level, i) => (
              <LevelCard
                level={level}
                number={i + 1}
                isLast={i === levels.length - 1}
                errorAt={form.errorAt}
                path={`levels[${i}]`}
                onChange={(next) => set(levels.with(i, next))}
                onRemove={() => set(levels.toSpliced(i, 1))}
              />
            )}
          </OrderedList>
          {form.errorAt('levels') && <p className={styles.fault}>{form.errorAt('levels')}</p>}
          <Group>
            <Button variant="default" onClick={() => set([...levels, newLevel(newId())])}>
              {texts.policies.addLevel}
            </Button>
          </Group>
          <div className={styles.pair}>
            <NumberInput
              label={texts.policies.repeatLabel}
              description={texts.policies.repeatHint}
              min={0}
              max={9}
              allowDecimal={false}
              value={repeat}
              error={form.errorAt('repeat')}
              onChange={(value) => form.set('repeat', Number(value) || 0)}
            />
            <NumberInput
              label={texts.policies.ackTimeoutLabel}
              description={texts.policies.ackTimeoutHint}
              min={1}
              allowDecimal={false}
              value={ackTimeoutSeconds === null ? '' : ackTimeoutSeconds / 60}
              error={form.errorAt('ackTimeoutSeconds')}
              onChange={(value) => form.set('ackTimeoutSeconds', value === '' ? null : Math.round(Number(value) * 60))}
            />
          </div>
        </Stack>
      </fieldset>
      {!isReadOnly && (
        <Group justify="flex-end" className={styles.save}>
          <Button variant="default" disabled={!form.isChanged} onClick={() => form.reset()}>
            {texts.schedules.discard}
          </Button>
          <Button type="submit" disabled={!form.isChanged} loading={form.isSending}>
            {texts.ui.save}
          </Button>
        </Group>
      )}
    </form>
  );
}

interface LevelCardProps {
  level: Level;
  number: number;
  isLast: boolean;
  errorAt: (path: string) => string | undefined;
  path: string;
  onChange: (level: Level) => void;
  onRemove: () => void;
}

const units = ['seconds', 'minutes', 'hours'] as const;

function LevelCard({ level, number, isLast, errorAt, path, onChange, onRemove }: LevelCardProps) {
  const { targets, escalateAfterSeconds = 600 } = level;
  const { value, unit } = inUnit(escalateAfterSeconds);
  const setTime = (next: number, of: (typeof units)[number]): void =>
    onChange({ ...level, escalateAfterSeconds: Math.max(1, Math.round(next * unitSeconds[of])) });
  return (
    <div className={styles.card}>
      <Group justify="space-between">
        <h3 className={styles.levelTitle}>{texts.policies.level(number)}</h3>
        <ActionIcon aria-label={texts.policies.removeLevel(number)} onClick={onRemove}>
          <TrashIcon aria-hidden />
        </ActionIcon>
      </Group>
      {targets.map((target, i) => (
        <TargetFields
          key={i}
          target={target}
          errorAt={errorAt}
          path={`${path}.targets[${i}]`}
          onChange={(next) => onChange({ ...level, targets: targets.with(i, next) })}
          onRemove={() => onChange({ ...level, targets: targets.toSpliced(i, 1) })}
        />
      ))}
      {errorAt(`${path}.targets`) && <p className={styles.fault}>{errorAt(`${path}.targets`)}</p>}
      <Button
        variant="subtle"
        size="compact-xs"
        w="max-content"
        onClick={() => onChange({ ...level, targets: [...targets, newTarget('user')] })}
      >
        {texts.policies.addTarget}
      </Button>
      <Group gap="xs" align="end">
        <NumberInput
          w="6rem"
          label={isLast ? texts.policies.waitLast : texts.policies.wait}
          min={1}
          allowDecimal={false}
          value={value}
          error={errorAt(`${path}.escalateAfterSeconds`)}
          onChange={(next) => setTime(Number(next) || 1, unit)}
        />
        <Select
          w="7rem"
          aria-label={texts.policies.unit}
          allowDeselect={false}
          value={unit}
          data={units.map((each) => ({ value: each, label: texts.policies.units[each] }))}
          onChange={(next) => setTime(value, units.find((each) => each === next) ?? unit)}
        />
      </Group>
    </div>
  );
}
