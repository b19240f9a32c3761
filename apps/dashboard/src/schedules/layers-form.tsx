/** What decides who is on call: the layers, how they count together, and from when on an edit counts. */
import { Alert, Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { all } from '../api/queries.js';
import { useCan } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { errorText } from '../ui/error-state.js';
import { InstantInput } from '../ui/instant-input.js';
import { OrderedList } from '../ui/ordered-list.js';
import type { Form } from '../ui/use-form.js';
import { ZoneSelect } from '../ui/zone-select.js';
import { newLayer, type Draft } from './draft.js';
import { HoursList } from './hours-list.js';
import { LayerCard } from './layer-card.js';
import styles from './schedules.module.css';

const modes = ['last', 'all'] as const;

export function LayersForm({ form, isReadOnly }: { form: Form<Draft>; isReadOnly: boolean }) {
  const can = useCan();
  const { data: teams = [] } = useQuery({ ...all('listTeams'), enabled: can('listTeams') });
  const { layers, layerMode, timezone, teamId, plannedGaps, effectiveAt } = form.values;
  return (
    <form onSubmit={form.submit} noValidate className={styles.form}>
      <fieldset disabled={isReadOnly} className={styles.bare}>
        <Stack gap="sm">
          {form.error && <Alert color="red">{errorText(form.error)}</Alert>}
          <TextInput label={texts.schedules.name} {...form.field('name')} />
          <div className={styles.pair}>
            <ZoneSelect
              label={texts.schedules.timezone}
              allowDeselect={false}
              value={timezone}
              onChange={(value) => form.set('timezone', value ?? 'UTC')}
              error={form.errorAt('timezone')}
            />
            <Select
              label={texts.onCall.team}
              placeholder={texts.ui.none}
              clearable
              searchable
              value={teamId}
              data={teams.map(({ id, name, slug }) => ({ value: id, label: `${name} (${slug})` }))}
              onChange={(value) => form.set('teamId', value)}
              error={form.errorAt('teamId')}
            />
          </div>
          <h2 className={styles.section}>{texts.schedules.layers}</h2>
          {layers.length === 0 && <p className={styles.fault}>{texts.schedules.noLayers}</p>}
          {layers.length > 1 && (
            <Select
              label={texts.schedules.layerMode}
              allowDeselect={false}
              value={layerMode}
              data={modes.map((value) => ({ value, label: texts.schedules.layerModes[value] }))}
              onChange={(value) => form.set('layerMode', value === 'all' ? 'all' : 'last')}
            />
          )}
          <OrderedList
            label={texts.schedules.layers}
            items={layers}
            keyOf={({ id }) => id}
            nameOf={({ name }) => name ?? ''}
            onChange={(next) => form.set('layers', next)}
          >
            {(layer, i) => (
              <LayerCard
                layer={layer}
                zone={timezone}
                path={`layers[${i}]`}
                errorAt={form.errorAt}
                onChange={(next) => form.set('layers', layers.with(i, next))}
                onRemove={() => form.set('layers', layers.toSpliced(i, 1))}
              />
            )}
          </OrderedList>
          <Group>
            <Button
              variant="default"
              onClick={() =>
                form.set('layers', [
                  ...layers,
                  newLayer(`lyr_${crypto.randomUUID().replaceAll('-', '')}`, texts.schedules.layer(layers.length + 1)),
                ])
              }
            >
              {texts.schedules.addLayer}
            </Button>
          </Group>
          <HoursList
            title={texts.schedules.plannedGaps}
            hint={texts.schedules.plannedGapsHint}
            hours={plannedGaps}
            onChange={(next) => form.set('plannedGaps', next)}
            errorAt={form.errorAt}
            path="plannedGaps"
          />
        </Stack>
      </fieldset>
      {!isReadOnly && (
        <div className={styles.save}>
          {form.isChanged && (
            <InstantInput
              label={texts.schedules.effectiveAt}
              description={texts.schedules.effectiveAtHint}
              zone={timezone}
              value={effectiveAt ?? ''}
              error={form.errorAt('effectiveAt')}
              onChange={(value) => form.set('effectiveAt', value || null)}
            />
          )}
          <Group gap="xs" ml="auto">
            <Button variant="default" disabled={!form.isChanged} onClick={() => form.reset()}>
              {texts.schedules.discard}
            </Button>
            <Button type="submit" disabled={!form.isChanged} loading={form.isSending}>
              {texts.ui.save}
            </Button>
          </Group>
        </div>
      )}
    </form>
  );
}
