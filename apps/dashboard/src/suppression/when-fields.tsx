/** When a window is active: one time, or by a rule that is made by choices. */
import { Button, SegmentedControl, Select, TagsInput } from '@mantine/core';
import { useZone } from '../app/zone.js';
import { texts } from '../texts/texts.js';
import { DurationInput } from '../ui/duration-input.js';
import { InstantInput } from '../ui/instant-input.js';
import { duration } from '../ui/time.js';
import { RepetitionFields } from './repetition-fields.js';
import type { WindowFormState } from './use-window-form.js';
import { withRecurrence, type WindowValues } from './window.js';
import ruleStyles from '../ui/rule.module.css';
import styles from './suppression.module.css';

const { form: words } = texts.suppression;
const quick = [1, 2, 4, 8, 24] as const;
const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

export function WhenFields({ form }: { form: WindowFormState }) {
  const { values, set } = form;
  const isRecurring = values.rrule !== null;
  const change = (next: WindowValues): void => {
    for (const name of ['rrule', 'durationSeconds', 'untilTime', 'endsAt'] as const) set(name, next[name]);
  };
  return (
    <>
      <SegmentedControl
        className={styles.kind}
        aria-label={words.kind}
        value={isRecurring ? 'repeats' : 'once'}
        data={[
          { value: 'once', label: words.kinds.once },
          { value: 'repeats', label: words.kinds.repeats },
        ]}
        onChange={(next) => change(withRecurrence(values, next === 'repeats'))}
      />
      {isRecurring ? <Recurring form={form} /> : <Once form={form} />}
    </>
  );
}

function Once({ form: { values, set, errorAt } }: { form: WindowFormState }) {
  const zone = useZone();
  const start = Date.parse(values.startsAt);
  const length = (Date.parse(values.endsAt) - start) / 1000;
  return (
    <>
      <div className={ruleStyles.pair}>
        <InstantInput
          label={words.starts}
          description={zone}
          zone={zone}
          value={values.startsAt}
          error={errorAt('startsAt')}
          onChange={(at) => set('startsAt', at)}
        />
        <InstantInput
          label={words.ends}
          description={length > 0 ? words.lasts(duration(length)) : zone}
          zone={zone}
          value={values.endsAt}
          error={errorAt('endsAt')}
          onChange={(at) => set('endsAt', at)}
        />
      </div>
      <div className={styles.quick} role="group" aria-label={words.quick}>
        {quick.map((hours) => (
          <Button
            key={hours}
            variant={length === hours * 3600 ? 'light' : 'default'}
            size="compact-sm"
            disabled={Number.isNaN(start)}
            onClick={() => set('endsAt', new Date(start + hours * 3_600_000).toISOString())}
          >
            {duration(hours * 3600)}
          </Button>
        ))}
      </div>
    </>
  );
}

function Recurring({ form }: { form: WindowFormState }) {
  const { values, set, errorAt } = form;
  const zone = values.timezone;
  const dateFault = values.excludedDates.map((_date, at) => errorAt(`excludedDates[${at}]`)).find(Boolean);
  return (
    <>
      <RepetitionFields rule={values.rrule ?? ''} error={errorAt('rrule')} onChange={(rule) => set('rrule', rule)} />
      <div className={ruleStyles.pair}>
        <InstantInput
          label={words.starts}
          zone={zone}
          value={values.startsAt}
          error={errorAt('startsAt')}
          onChange={(at) => set('startsAt', at)}
        />
        <Select
          label={words.zone}
          searchable
          allowDeselect={false}
          limit={80}
          data={zones.includes(zone) ? zones : [zone, ...zones]}
          value={zone}
          error={errorAt('timezone')}
          onChange={(next) => set('timezone', next ?? 'UTC')}
        />
      </div>
      <Length form={form} />
      <InstantInput
        label={words.noLaterThan}
        zone={zone}
        value={values.endsAt}
        error={errorAt('endsAt')}
        onChange={(at) => set('endsAt', at)}
      />
      <TagsInput
        label={words.excluded}
        description={words.excludedHint}
        value={values.excludedDates}
        error={errorAt('excludedDates') ?? dateFault}
        acceptValueOnBlur
        onChange={(dates) => set('excludedDates', dates)}
      />
    </>
  );
}

function Length({ form: { values, set, errorAt } }: { form: WindowFormState }) {
  const isUntil = values.untilTime !== null;
  return (
    <div className={ruleStyles.fields}>
      <SegmentedControl
        className={styles.kind}
        aria-label={words.lengthWay}
        value={isUntil ? 'until' : 'duration'}
        data={(['duration', 'until'] as const).map((value) => ({ value, label: words.lengthWays[value] }))}
        onChange={(next) => {
          set('untilTime', next === 'until' ? '06:00' : null);
          set('durationSeconds', next === 'until' ? null : 3600);
        }}
      />
      {isUntil ? (
        <label className={styles.time}>
          {words.untilTime}
          <input
            type="time"
            value={values.untilTime ?? ''}
            onChange={({ currentTarget }) => set('untilTime', currentTarget.value)}
          />
          {errorAt('untilTime') !== undefined && <span className={ruleStyles.fault}>{errorAt('untilTime')}</span>}
        </label>
      ) : (
        <DurationInput
          label={words.duration}
          seconds={values.durationSeconds ?? 0}
          units={['minutes', 'hours', 'days']}
          error={errorAt('durationSeconds')}
          onChange={(seconds) => set('durationSeconds', seconds)}
        />
      )}
    </div>
  );
}
