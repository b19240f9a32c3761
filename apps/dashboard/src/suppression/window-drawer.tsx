import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { read } from '../api/queries.js';
import { useCan } from '../app/session.js';
import { useZone } from '../app/zone.js';
import { texts } from '../texts/texts.js';
import { ActorName } from '../ui/actor-name.js';
import { ConfirmButton } from '../ui/confirm-button.js';
import { DetailDrawer } from '../ui/detail-drawer.js';
import { ErrorState } from '../ui/error-state.js';
import { useNow } from '../ui/now.js';
import { RelativeTime } from '../ui/relative-time.js';
import { RowsSkeleton } from '../ui/skeletons.js';
import { spanTexts } from '../ui/time.js';
import { HidesNow } from './hides-now.js';
import { useWindowActs } from './window-acts.js';
import { valuesOf, type SuppressionWindow } from './window.js';
import { WindowStatus } from './window-status.js';
import { WindowWords } from './window-words.js';
import ruleStyles from '../ui/rule.module.css';
import styles from './suppression.module.css';

const { detail: words } = texts.suppression;
const day = 86_400_000;
const shownUpcoming = 5;

export function WindowDrawer({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const window = useQuery({
    ...read('getSuppressionWindow', { path: { id: id ?? '' } }),
    enabled: id !== undefined,
  });
  return (
    <DetailDrawer open={id !== undefined} onClose={onClose} title={<bdi>{window.data?.name}</bdi>}>
      {window.isError ? (
        <ErrorState error={window.error} retry={() => void window.refetch()} />
      ) : window.data === undefined ? (
        <RowsSkeleton />
      ) : (
        <Detail window={window.data} onClose={onClose} />
      )}
    </DetailDrawer>
  );
}

/** From the start of the hour, so that the same answer serves for it. */
const sinceOf = (now: number): number => Math.floor(now / 3_600_000) * 3_600_000;

function Detail({ window, onClose }: { window: SuppressionWindow; onClose: () => void }) {
  const now = useNow();
  const zone = useZone();
  const since = sinceOf(now);
  const occurrences = useQuery(
    read('getSuppressionOccurrences', {
      query: { since: new Date(since).toISOString(), until: new Date(since + 90 * day).toISOString() },
    }),
  );
  const own = (occurrences.data?.occurrences ?? []).filter(
    ({ windowId, endsAt }) => windowId === window.id && Date.parse(endsAt) > now,
  );
  const current = own.find(({ startsAt }) => Date.parse(startsAt) <= now);
  return (
    <>
      <div className={styles.state}>
        <WindowStatus status={window.status} />
        <span className={ruleStyles.hint}>{words.count(window.suppressedCount)}</span>
      </div>
      <WindowWords window={window} />
      <Acts window={window} current={current} onClose={onClose} />
      <dl className={styles.facts}>
        {window.reason !== null && (
          <>
            <dt>{words.reason}</dt>
            <dd className={styles.reason}>
              <bdi>{window.reason}</bdi>
            </dd>
          </>
        )}
        <dt>{words.createdBy}</dt>
        <dd>
          <ActorName actor={window.createdBy} /> <RelativeTime at={window.createdAt} />
        </dd>
        {occurrences.data && window.enabled && (
          <>
            <dt>{words.upcoming}</dt>
            <dd>
              {own.length === 0 && words.noUpcoming}
              {own.slice(0, shownUpcoming).map(({ startsAt, endsAt }) => (
                <div key={startsAt}>{texts.onCall.span(...spanTexts(startsAt, endsAt, zone, now))}</div>
              ))}
            </dd>
          </>
        )}
      </dl>
      {window.status !== 'expired' && <HidesNow values={valuesOf(window)} />}
    </>
  );
}

interface ActsProps {
  window: SuppressionWindow;
  current: { windowId: string; startsAt: string; endsAt: string } | undefined;
  onClose: () => void;
}

function Acts({ window, current, onClose }: ActsProps) {
  const { id, name, enabled } = window;
  const can = useCan();
  const { end, extend, turn, remove, isBusy } = useWindowActs(window, current, onClose);
  if (!can('updateSuppressionWindow')) return null;
  return (
    <div className={styles.acts}>
      {end && (
        <Button onClick={end} disabled={isBusy}>
          {window.rrule === null ? words.endNow : words.endThis}
        </Button>
      )}
      {extend && (
        <Menu position="bottom-start">
          <Menu.Target>
            <Button variant="default" disabled={isBusy}>
              {words.extend}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {Object.entries(words.extendBy).map(([seconds, label]) => (
              <Menu.Item key={seconds} onClick={() => extend(Number(seconds))}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      <Button component={Link} to={`/suppression/${id}` as '/suppression'} variant="default">
        {words.edit}
      </Button>
      {window.status !== 'expired' && (
        <Button variant="default" disabled={isBusy} onClick={() => turn(!enabled)}>
          {enabled ? words.turnOff : words.turnOn}
        </Button>
      )}
      {can('deleteSuppressionWindow') && (
        <ConfirmButton
          variant="subtle"
          color="red"
          disabled={isBusy}
          question={{ title: words.deleteTitle(name), text: words.deleteText, action: words.delete, run: remove }}
        />
      )}
    </div>
  );
}
