import { ActionIcon, Button, Checkbox, Collapse, Group, NumberInput, Select, TextInput } from '@mantine/core';
import { Cross2Icon, TrashIcon } from '@radix-ui/react-icons';
import { useState } from 'react';
import { texts } from '../texts/texts.js';
import { InstantInput } from '../ui/instant-input.js';
import { useMemberOptions } from '../ui/member-select.js';
import { OrderedList } from '../ui/ordered-list.js';
import { ZoneSelect } from '../ui/zone-select.js';
import type { Layer } from './draft.js';
import { HoursList } from './hours-list.js';
import { RotationFields } from './rotation-fields.js';
import styles from './schedules.module.css';

export interface LayerCardProps {
  layer: Layer;
  /** The zone of the schedule. */
  zone: string;
  onChange: (layer: Layer) => void;
  onRemove: () => void;
  errorAt: (path: string) => string | undefined;
  path: string;
}

export function LayerCard({ layer, zone, onChange, onRemove, errorAt, path }: LayerCardProps) {
  const [isOpen, setIsOpen] = useState(false);
  const set = (change: Partial<Layer>): void => onChange({ ...layer, ...change });
  return (
    <div className={styles.layer}>
      <Group gap="xs" wrap="nowrap" align="end">
        <TextInput
          className={styles.grow}
          label={texts.schedules.layerName}
          value={layer.name ?? ''}
          error={errorAt(`${path}.name`)}
          onChange={({ currentTarget }) => set({ name: currentTarget.value })}
        />
        <ActionIcon size="lg" aria-label={texts.schedules.removeLayer(layer.name ?? '')} onClick={onRemove}>
          <TrashIcon aria-hidden />
        </ActionIcon>
      </Group>
      <LayerMembers layer={layer} set={set} error={errorAt(`${path}.members`)} />
      {layer.rotation && (
        <RotationFields
          rotation={layer.rotation}
          onChange={(rotation) => set({ rotation })}
          errorAt={errorAt}
          path={`${path}.rotation`}
        />
      )}
      <HoursList
        title={texts.schedules.restrictions}
        hint={texts.schedules.always}
        hours={layer.restrictions ?? []}
        onChange={(restrictions) => set({ restrictions })}
        errorAt={errorAt}
        path={`${path}.restrictions`}
      />
      <Button
        w="max-content"
        variant="subtle"
        size="compact-xs"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {isOpen ? texts.schedules.less : texts.schedules.more}
      </Button>
      <Collapse expanded={isOpen}>
        <div className={styles.pair}>
          <ZoneSelect
            label={texts.schedules.layerZone}
            clearable
            placeholder={texts.schedules.zoneOfSchedule(zone)}
            value={layer.timezone ?? null}
            onChange={(timezone) => set({ timezone })}
            error={errorAt(`${path}.timezone`)}
          />
          <NumberInput
            label={texts.schedules.perTurn}
            min={1}
            max={20}
            allowDecimal={false}
            value={layer.perTurn ?? 1}
            error={errorAt(`${path}.perTurn`)}
            onChange={(value) => set({ perTurn: Number(value) || 1 })}
          />
          <InstantInput
            label={texts.schedules.startsAt}
            description={texts.schedules.startsAtHint}
            zone={layer.timezone ?? zone}
            value={layer.startsAt ?? ''}
            error={errorAt(`${path}.startsAt`)}
            onChange={(startsAt) => set({ startsAt: startsAt || undefined })}
          />
          <InstantInput
            label={texts.schedules.endsAt}
            description={texts.schedules.endsAtHint}
            zone={layer.timezone ?? zone}
            value={layer.endsAt ?? ''}
            error={errorAt(`${path}.endsAt`)}
            onChange={(endsAt) => set({ endsAt: endsAt || null })}
          />
        </div>
      </Collapse>
    </div>
  );
}

interface LayerMembersProps {
  layer: Layer;
  set: (change: Partial<Layer>) => void;
  error: string | undefined;
}

function LayerMembers({ layer: { members, everybody = false }, set, error }: LayerMembersProps) {
  const options = useMemberOptions();
  const nameOf = (id: string): string => options.find(({ value }) => value === id)?.label ?? texts.ui.member;
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{texts.schedules.members}</legend>
      <Checkbox
        label={texts.schedules.everybody}
        checked={everybody}
        onChange={({ currentTarget }) => set({ everybody: currentTarget.checked })}
      />
      {!everybody && (
        <>
          {members.length === 0 && <p className={styles.fault}>{texts.schedules.noMembers}</p>}
          <OrderedList
            label={texts.schedules.members}
            items={members}
            keyOf={(id) => id}
            nameOf={nameOf}
            onChange={(next) => set({ members: next })}
          >
            {(id, i) => (
              <>
                <span className={styles.place}>{i + 1}</span>
                <bdi className={styles.grow}>{nameOf(id)}</bdi>
                <ActionIcon
                  size="sm"
                  aria-label={texts.schedules.removeMember(nameOf(id))}
                  onClick={() => set({ members: members.toSpliced(i, 1) })}
                >
                  <Cross2Icon aria-hidden />
                </ActionIcon>
              </>
            )}
          </OrderedList>
          <Select
            aria-label={texts.schedules.addMember}
            placeholder={texts.schedules.addMember}
            searchable
            limit={100}
            value={null}
            data={options.filter(({ value }) => !members.includes(value))}
            nothingFoundMessage={texts.app.nothingFound}
            error={error}
            onChange={(id) => id !== null && set({ members: [...members, id] })}
          />
        </>
      )}
    </fieldset>
  );
}
