import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Item } from '../../api/operation-types.js';
import { all, read } from '../../api/queries.js';
import { useAct } from '../../api/use-act.js';
import { texts } from '../../texts/texts.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { ErrorState } from '../../ui/error-state.js';
import { notifyDone, notifyFailed } from '../../ui/notify.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { RowsSkeleton } from '../../ui/skeletons.js';
import { browserFacts, unsubscribe } from './browser-push.js';
import { DeviceTest } from './device-test.js';
import { deviceHere, pushState } from './push-state.js';
import { Section } from './section.js';
import { ThisBrowser } from './this-browser.js';
import styles from './profile.module.css';

type Device = Item<'listDevices'>;

/** The browsers to which pages are pushed. */
export function Devices() {
  const push = useQuery(read('getPush'));
  const devices = useQuery(all('listDevices'));
  const facts = useQuery({ queryKey: ['browser push'], queryFn: browserFacts, staleTime: 0 });
  const failed = [push, devices].find(({ isError }) => isError);
  if (failed)
    return (
      <Section title={texts.devices.title}>
        <ErrorState error={failed.error} retry={() => void failed.refetch()} />
      </Section>
    );
  if (!push.data || !devices.data || !facts.data)
    return (
      <Section title={texts.devices.title}>
        <RowsSkeleton rows={2} />
      </Section>
    );
  const here = deviceHere(facts.data, devices.data);
  return (
    <Section title={texts.devices.title}>
      <p className={styles.dimmed}>{texts.devices.text}</p>
      <ThisBrowser
        publicKey={push.data.publicKey}
        state={pushState(facts.data, push.data.publicKey, devices.data)}
        deviceId={here?.id}
      />
      {devices.data.length > 0 && (
        <ul className={styles.rows} aria-label={texts.devices.list}>
          {devices.data.map((device) => (
            <DeviceRow key={device.id} device={device} isHere={device.id === here?.id} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function DeviceRow({
  device: { id, name, createdAt, endedAt, endReason },
  isHere,
}: {
  device: Device;
  isHere: boolean;
}) {
  const test = useAct('testDevice', { onError: (error) => notifyFailed(texts.devices.testFailed, error) });
  const remove = useAct('deleteDevice', {
    changes: ['listDevices'],
    onSuccess: () => {
      if (isHere) void unsubscribe();
      notifyDone(texts.devices.removed);
    },
    onError: (error) => notifyFailed(texts.devices.removeFailed, error),
  });
  return (
    <li className={styles.row}>
      <span className={styles.main}>
        <bdi>{name}</bdi>{' '}
        <span className={styles.dimmed}>
          {isHere && `${texts.devices.thisBrowser} · `}
          {endedAt === null ? texts.devices.added : texts.devices.ended} <RelativeTime at={endedAt ?? createdAt} />
        </span>
        {endReason !== null && <p className={styles.fault}>{texts.devices.endReasons[endReason]}</p>}
        {test.data && <DeviceTest key={test.data.data.id} id={test.data.data.id} />}
      </span>
      <Group gap="xs">
        {endedAt === null && (
          <Button variant="default" loading={test.isPending} onClick={() => test.mutate({ path: { id } })}>
            {texts.devices.test}
          </Button>
        )}
        <ConfirmButton
          question={{
            title: texts.devices.removeAsk(name),
            action: texts.devices.remove,
            run: () => remove.mutate({ path: { id } }),
          }}
        />
      </Group>
    </li>
  );
}
