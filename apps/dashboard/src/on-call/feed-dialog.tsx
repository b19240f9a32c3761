import { Alert, Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useAct } from '../api/use-act.js';
import { useSession } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { CopyButton } from '../ui/copy-button.js';
import { errorText } from '../ui/error-state.js';
import { notifyDone, notifyFailed } from '../ui/notify.js';
import type { Schedule } from './dialogs.js';
import styles from './on-call.module.css';

/** An iCalendar feed of a schedule, or of oneself. Its URL is a secret that is shown once. */
export function FeedDialog({ schedule, close }: { schedule: Schedule | null; close: () => void }) {
  const { member } = useSession();
  const ofSchedule = useAct('createScheduleFeed');
  const ofMember = useAct('createMemberFeed');
  const onEnd = {
    onSuccess: () => {
      close();
      notifyDone(texts.onCall.feed.ended);
    },
    onError: (error: unknown) => notifyFailed(texts.onCall.feed.endFailed, error),
  };
  const endSchedule = useAct('deleteScheduleFeed', onEnd);
  const endMember = useAct('deleteMemberFeed', onEnd);
  const make = (): void => {
    if (schedule) ofSchedule.mutate({ path: { id: schedule.id } });
    else ofMember.mutate({ path: { id: member.id } });
  };
  const end = (): void => {
    if (schedule) endSchedule.mutate({ path: { id: schedule.id } });
    else endMember.mutate({ path: { id: member.id } });
  };
  const made = schedule ? ofSchedule : ofMember;
  const url = made.data?.data.url;
  return (
    <Modal
      opened
      onClose={close}
      title={<span>{schedule ? texts.onCall.feed.title(schedule.name) : texts.onCall.feed.mine}</span>}
    >
      <Stack gap="sm">
        <p className={styles.hint}>{texts.onCall.feed.about}</p>
        {made.isError && <Alert color="red">{errorText(made.error)}</Alert>}
        {url === undefined ? (
          <>
            <p className={styles.hint}>{texts.onCall.feed.replaces}</p>
            <Group justify="space-between">
              <Button
                variant="default"
                color="red"
                loading={endSchedule.isPending || endMember.isPending}
                onClick={end}
              >
                {texts.onCall.feed.end}
              </Button>
              <Button data-autofocus loading={made.isPending} onClick={make}>
                {texts.onCall.feed.create}
              </Button>
            </Group>
          </>
        ) : (
          <>
            <Group align="end" wrap="nowrap">
              <TextInput
                className={styles.grow}
                label={texts.onCall.feed.url}
                readOnly
                value={url}
                onFocus={({ currentTarget }) => currentTarget.select()}
              />
              <CopyButton value={url} />
            </Group>
            <Alert color="yellow">{texts.onCall.feed.once}</Alert>
            <Group justify="flex-end">
              <Button onClick={close}>{texts.onCall.feed.done}</Button>
            </Group>
          </>
        )}
      </Stack>
    </Modal>
  );
}
