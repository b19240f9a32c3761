import { Select, TextInput } from '@mantine/core';
import schema from 'schema:PostOverride';
import type { Body, Reply } from '../api/operation-types.js';
import { useAct } from '../api/use-act.js';
import { texts } from '../texts/texts.js';
import { FormDialog } from '../ui/form-dialog.js';
import { InstantInput } from '../ui/instant-input.js';
import { MemberSelect, useMemberOptions } from '../ui/member-select.js';
import { notifyDone, notifyFailed } from '../ui/notify.js';
import { duration } from '../ui/time.js';
import { useForm } from '../ui/use-form.js';
import type { Schedule } from './dialogs.js';
import type { OverrideDraft } from './spans.js';
import styles from './on-call.module.css';

type Override = Body<'createScheduleOverride'>;

/** What answers who is on call. */
export const onCallReads = ['getScheduleShifts', 'getCurrentOnCall', 'getSchedule', 'listSchedules'] as const;

export interface OverrideDialogProps {
  schedule: Schedule;
  draft: OverrideDraft;
  zone: string;
  close: () => void;
}

/** Somebody else takes over for some hours. */
export function OverrideDialog({ schedule: { id, name }, draft, zone, close }: OverrideDialogProps) {
  const members = useMemberOptions();
  const nameOf = (userId: string): string => members.find(({ value }) => value === userId)?.label ?? '';
  const undo = useAct('deleteScheduleOverride', {
    changes: onCallReads,
    onError: (error) => notifyFailed(texts.onCall.override.undoFailed, error),
  });
  const create = useAct('createScheduleOverride', {
    changes: onCallReads,
    onSuccess: ({ data }: Reply<'createScheduleOverride'>) => {
      close();
      notifyDone(texts.onCall.override.done(nameOf(data.userId)), () =>
        undo.mutate({ path: { id, overrideId: data.id } }),
      );
    },
  });
  const { scheduleId: _, ...initial } = draft;
  const form = useForm<Override>({
    schema,
    initial: { ...initial, reason: '' },
    send: (values) => create.mutateAsync({ path: { id }, body: bodyOf(values) }),
    toBody: bodyOf,
  });
  const { userId, startsAt, endsAt, replacesUserId } = form.values;
  const seconds = (Date.parse(endsAt) - Date.parse(startsAt)) / 1000;
  return (
    <FormDialog
      title={texts.onCall.override.title(name)}
      form={form}
      close={close}
      action={texts.onCall.override.create}
    >
      <MemberSelect
        label={texts.onCall.override.who}
        data-autofocus
        value={userId || null}
        onChange={(value) => form.set('userId', value ?? '')}
        error={form.errorAt('userId')}
      />
      <div className={styles.pair}>
        <InstantInput
          label={texts.onCall.from}
          zone={zone}
          value={startsAt}
          onChange={(value) => form.set('startsAt', value)}
          error={form.errorAt('startsAt')}
        />
        <InstantInput
          label={texts.onCall.to}
          zone={zone}
          value={endsAt}
          onChange={(value) => form.set('endsAt', value)}
          error={form.errorAt('endsAt')}
        />
      </div>
      <p className={styles.hint}>
        {seconds > 0 ? texts.onCall.override.length(duration(seconds), zone) : texts.onCall.override.zone(zone)}
      </p>
      <Select
        label={texts.onCall.override.replaces}
        data={members}
        placeholder={texts.onCall.override.everybody}
        clearable
        searchable
        value={replacesUserId ?? null}
        onChange={(value) => form.set('replacesUserId', value)}
        error={form.errorAt('replacesUserId')}
      />
      <TextInput label={texts.onCall.reason} {...form.field('reason')} />
    </FormDialog>
  );
}

/** What was not chosen is missing, so that the form says so. */
const bodyOf = ({ userId, startsAt, endsAt, replacesUserId, reason }: Override): Override =>
  ({
    ...(userId === '' ? {} : { userId }),
    ...(startsAt === '' ? {} : { startsAt }),
    ...(endsAt === '' ? {} : { endsAt }),
    replacesUserId: replacesUserId ?? null,
    reason: reason?.trim() || null,
  }) as Override;
