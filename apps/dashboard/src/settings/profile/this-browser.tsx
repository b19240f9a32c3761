import { Button, Group, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.js';
import { invalidate } from '../../api/queries.js';
import { texts } from '../../texts/texts.js';
import { notifyDone, notifyFailed } from '../../ui/notify.js';
import { browserName } from './browser-name.js';
import { subscribe, unsubscribe } from './browser-push.js';
import type { PushState } from './push-state.js';
import styles from './profile.module.css';

interface ThisBrowserProps {
  publicKey: string | null;
  state: PushState;
  /** The entry of this browser. */
  deviceId: string | undefined;
}

/** Switches push messages to this browser on and off. The browser asks for the permission only after a click. */
export function ThisBrowser({ publicKey, state, deviceId }: ThisBrowserProps) {
  const said = texts.devices;
  const queries = useQueryClient();
  const [name, setName] = useState(browserName(navigator.userAgent) ?? said.thisBrowser);
  const readAgain = async (): Promise<void> => {
    await Promise.all([
      invalidate(queries, ['listDevices']),
      queries.invalidateQueries({ queryKey: ['browser push'] }),
    ]);
  };
  const switchOn = useMutation({
    mutationFn: async () => {
      const subscription = await subscribe(publicKey ?? '');
      if (subscription) await call('addDevice', { body: { name, ...subscription } });
      return subscription !== null;
    },
    onSuccess: (isOn) => isOn && notifyDone(said.switchedOn),
    onError: (error) => !(error instanceof DOMException) && notifyFailed(said.switchFailed, error),
    onSettled: readAgain,
  });
  const switchOff = useMutation({
    mutationFn: async () => {
      if (deviceId !== undefined) await call('deleteDevice', { path: { id: deviceId } });
      await unsubscribe();
    },
    onSuccess: () => notifyDone(said.switchedOff),
    onError: (error) => notifyFailed(said.removeFailed, error),
    onSettled: readAgain,
  });
  return (
    <div>
      <p>
        {said.thisBrowser}: <span role="status">{said.states[state]}</span>
      </p>
      {state === 'on' && <p className={styles.dimmed}>{said.stays}</p>}
      {state === 'off' && (
        <Group align="end" mt="xs">
          <TextInput
            label={said.name}
            value={name}
            maxLength={200}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Button
            size="sm"
            variant="default"
            disabled={name.trim() === ''}
            loading={switchOn.isPending}
            onClick={() => switchOn.mutate()}
          >
            {said.switchOn}
          </Button>
        </Group>
      )}
      <p role="alert" className={styles.fault}>
        {switchOn.data === false && said.notAllowed}
        {switchOn.error instanceof DOMException && said.noPushService}
      </p>
      {state === 'on' && (
        <Button mt="xs" variant="default" loading={switchOff.isPending} onClick={() => switchOff.mutate()}>
          {said.switchOff}
        </Button>
      )}
    </div>
  );
}
