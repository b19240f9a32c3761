import { ActionIcon, Group, Select, TextInput } from '@mantine/core';
import { Cross2Icon } from '@radix-ui/react-icons';
import { useQuery } from '@tanstack/react-query';
import { all } from '../api/queries.js';
import { texts } from '../texts/texts.js';
import { MemberSelect } from '../ui/member-select.js';
import { channelKinds, newTarget, targetTypes, type Target } from './levels.js';
import styles from './policies.module.css';

export interface TargetFieldsProps {
  target: Target;
  onChange: (target: Target) => void;
  onRemove: () => void;
  errorAt: (path: string) => string | undefined;
  path: string;
}

/** Who is told: a kind, and which one. */
export const TargetFields = ({ target, onChange, onRemove, errorAt, path }: TargetFieldsProps) => (
  <Group gap="xs" wrap="nowrap" align="start" className={styles.target}>
    <Select
      w="9rem"
      aria-label={texts.policies.targetType}
      allowDeselect={false}
      value={target.type}
      data={targetTypes.map((value) => ({ value, label: texts.policies.targetTypes[value] }))}
      onChange={(value) => onChange(newTarget(targetTypes.find((type) => type === value) ?? 'schedule'))}
    />
    <div className={styles.grow}>
      <Which target={target} onChange={onChange} errorAt={errorAt} path={path} />
    </div>
    <ActionIcon size="lg" aria-label={texts.policies.removeTarget} onClick={onRemove}>
      <Cross2Icon aria-hidden />
    </ActionIcon>
  </Group>
);

function Which({ target, onChange, errorAt, path }: Omit<TargetFieldsProps, 'onRemove'>) {
  const schedules = useQuery({ ...all('listSchedules'), enabled: target.type === 'schedule' });
  const teams = useQuery({ ...all('listTeams'), enabled: target.type === 'team' });
  const error = errorAt(`${path}.id`) && texts.policies.choose;
  switch (target.type) {
    case 'user':
      return (
        <MemberSelect
          aria-label={texts.policies.targetTypes.user}
          placeholder={texts.policies.choose}
          value={target.id || null}
          error={error}
          onChange={(id) => onChange({ ...target, id: id ?? '' })}
        />
      );
    case 'team':
      return (
        <Select
          aria-label={texts.policies.targetTypes.team}
          placeholder={texts.policies.choose}
          searchable
          value={target.id || null}
          data={(teams.data ?? []).map(({ id, name, slug }) => ({ value: id, label: `${name} (${slug})` }))}
          error={error}
          onChange={(id) => onChange({ ...target, id: id ?? '' })}
        />
      );
    case 'schedule':
      return (
        <Group gap="xs" wrap="nowrap" align="start">
          <Select
            className={styles.grow}
            aria-label={texts.policies.targetTypes.schedule}
            placeholder={texts.policies.choose}
            searchable
            value={target.id || null}
            data={(schedules.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            error={error}
            onChange={(id) => onChange({ ...target, id: id ?? '' })}
          />
          <Select
            w="8.5rem"
            aria-label={texts.policies.whoOf}
            allowDeselect={false}
            value={target.who ?? 'current'}
            data={[
              { value: 'current', label: texts.policies.current },
              { value: 'next', label: texts.policies.next },
            ]}
            onChange={(who) => onChange({ ...target, who: who === 'next' ? 'next' : 'current' })}
          />
        </Group>
      );
    case 'email':
      return (
        <TextInput
          type="email"
          aria-label={texts.policies.targetTypes.email}
          placeholder="ops@example.com"
          value={target.address}
          error={errorAt(`${path}.address`)}
          onChange={({ currentTarget }) => onChange({ ...target, address: currentTarget.value })}
        />
      );
    case 'channel':
      return (
        <Group gap="xs" wrap="nowrap" align="start">
          <Select
            w="8rem"
            aria-label={texts.policies.channelKind}
            allowDeselect={false}
            value={target.kind}
            data={[...channelKinds]}
            onChange={(value) =>
              onChange({
                type: 'channel',
                kind: channelKinds.find((kind) => kind === value) ?? 'slack',
                url: target.url,
              })
            }
          />
          <TextInput
            className={styles.grow}
            aria-label={texts.policies.channelUrl}
            placeholder="https://…"
            value={target.url}
            error={errorAt(`${path}.url`)}
            onChange={({ currentTarget }) => onChange({ ...target, url: currentTarget.value })}
          />
        </Group>
      );
  }
}
