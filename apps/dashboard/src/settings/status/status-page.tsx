import { useQuery } from '@tanstack/react-query';
import type { Data } from '../../api/operation-types.js';
import { read } from '../../api/queries.js';
import { texts } from '../../texts/texts.js';
import { ErrorState } from '../../ui/error-state.js';
import { Facts } from '../../ui/facts.js';
import { useNow } from '../../ui/now.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';
import { RowsSkeleton } from '../../ui/skeletons.js';
import { ToneMark, type Tone } from '../../ui/tone-mark.js';
import { SectionBar } from '../section-bar.js';
import { shownState, valueText } from './status-text.js';
import styles from '../settings.module.css';

type Status = Data<'getStatus'>;
type Part = Status['parts'][number];
type State = Status['state'];

const readEveryMs = 10_000;
const tones: Record<State, Tone> = { operational: 'good', degraded: 'waiting', down: 'bad', unknown: 'neutral' };

export function StatusPage() {
  const said = texts.status;
  const found = useQuery({ ...read('getStatus'), refetchInterval: readEveryMs });
  const ageMs = Math.max(0, useNow() - found.dataUpdatedAt);
  return (
    <>
      <SectionBar title={said.title} />
      {found.isPending && <RowsSkeleton />}
      {found.isError && <ErrorState error={found.error} retry={() => void found.refetch()} />}
      {found.isSuccess && (
        <div className={`${styles.narrow} ${styles.wideFacts}`}>
          <Section title={said.overall} hint={said.hint}>
            <Facts
              facts={[
                [said.state, <StateMark state={shownState(found.data.state, ageMs)} />],
                [said.readAt, <RelativeTime at={found.data.readAt} />],
              ]}
            />
          </Section>
          {found.data.parts.map((part) => (
            <PartSection key={part.part} part={part} ageMs={ageMs} />
          ))}
        </div>
      )}
    </>
  );
}

function PartSection({ part: { part, state, since, readings }, ageMs }: { part: Part; ageMs: number }) {
  const said = texts.status;
  const { title, hint } = said.parts[part];
  return (
    <Section title={title} hint={hint} actions={<StateMark state={shownState(state, ageMs)} />}>
      <Facts
        facts={[
          [said.since, since === null ? said.sinceUnknown : <RelativeTime at={since} />],
          ...readings.map(
            (reading) => [said.readings[reading.name], <Value reading={reading} ageMs={ageMs} />] as const,
          ),
        ]}
      />
    </Section>
  );
}

const StateMark = ({ state }: { state: State }) => (
  <ToneMark tone={tones[state]}>{texts.status.states[state]}</ToneMark>
);

function Value({ reading, ageMs }: { reading: Part['readings'][number]; ageMs: number }) {
  const { degradedFrom, downFrom, ageSeconds } = reading;
  const said = texts.status;
  const state = shownState(reading.state, ageMs);
  const limits =
    reading.unit === 'ratio' && downFrom === 1 ? '' : said.limit(...limitTexts(reading, degradedFrom, downFrom));
  const age = ageSeconds === null ? null : said.ago(said.seconds(ageSeconds + ageMs / 1000));
  return (
    <>
      {valueText(reading)}{' '}
      <span className={styles.dimmed}>{[age, limits].filter((text) => text !== null && text !== '').join(' · ')}</span>{' '}
      {state !== 'operational' && <StateMark state={state} />}
    </>
  );
}

const limitTexts = (
  reading: Part['readings'][number],
  degradedFrom: number | null,
  downFrom: number | null,
): [string | null, string | null] => [
  degradedFrom === null ? null : valueText({ ...reading, value: degradedFrom }),
  downFrom === null ? null : valueText({ ...reading, value: downFrom }),
];
