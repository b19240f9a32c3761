import { Skeleton } from '@mantine/core';
import { texts } from '../texts/texts.js';
import { Countdown } from '../ui/countdown.js';
import { useNow } from '../ui/now.js';
import { PanelSection } from '../ui/panel-section.js';
import { duration } from '../ui/time.js';
import { comingOf, levelState, type Coming } from './next-page.js';
import { usePolicyLevels, type PolicyLevel } from './use-policy-levels.js';
import type { Incident } from './use-update-incident.js';
import styles from './incidents.module.css';

const said = texts.incidents.next;

/** Who is paged next and when, and all levels of the policy. */
export function IncidentNext({ incident }: { incident: Incident }) {
  const now = useNow();
  const { levels, isLoading } = usePolicyLevels(incident);
  const coming = comingOf(incident, levels?.length ?? null, now);
  return (
    <PanelSection heading="h2" title={said.title}>
      <p className={styles.coming} data-alarm={coming.kind === 'exhausted' || undefined}>
        {comingText(coming)}{' '}
        {'at' in coming && (
          <strong className={styles.countdown}>
            <Countdown to={coming.at} />
          </strong>
        )}
      </p>
      {coming.kind === 'exhausted' && <p className={styles.dimmed}>{said.exhaustedHint}</p>}
      {isLoading && <Skeleton height={64} />}
      {levels !== null && (
        <ol className={styles.levels} aria-label={said.levels}>
          {levels.map((level) => (
            <LevelLine key={level.id} level={level} state={levelState(incident, level.level, coming)} />
          ))}
        </ol>
      )}
    </PanelSection>
  );
}

function comingText(coming: Coming): string {
  switch (coming.kind) {
    case 'level':
      return said.level(coming.level);
    case 'round':
      return said.round(coming.round + 1);
    default:
      return said[coming.kind];
  }
}

function LevelLine({ level, state }: { level: PolicyLevel; state: ReturnType<typeof levelState> }) {
  return (
    <li className={styles.level} data-state={state.kind}>
      <strong>{said.levelName(level.level)}</strong>
      <span className={styles.people}>
        {level.isEmpty && <span className={styles.warning}>{said.nobodyReachable}</span>}
        {level.recipients.map(({ channel, target, userName, scheduleName, why, unreachable }) => (
          <span key={channel + target} title={unreachable ?? why} data-unreachable={unreachable !== null || undefined}>
            <bdi>{userName ?? target}</bdi>
            {scheduleName !== null && <bdi className={styles.dimmed}> {scheduleName}</bdi>}
          </span>
        ))}
      </span>
      <span className={styles.when}>
        {state.kind === 'told' && said.told}
        {state.kind === 'next' && <Countdown to={state.at} />}
        {state.kind === 'later' && (level.afterSeconds === 0 ? said.atOnce : said.later(duration(level.afterSeconds)))}
      </span>
    </li>
  );
}
