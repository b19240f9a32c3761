import { Radio, ScrollArea, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { read } from '../api/queries.js';
import { useAct } from '../api/use-act.js';
import { texts } from '../texts/texts.js';
import { ErrorState } from '../ui/error-state.js';
import { FormDialog } from '../ui/form-dialog.js';
import { notifyDone } from '../ui/notify.js';
import { useNow } from '../ui/now.js';
import { RowsSkeleton } from '../ui/skeletons.js';
import { spanTexts } from '../ui/time.js';
import type { Schedule } from './dialogs.js';
import { onCallReads } from './override-dialog.js';
import { keyOfSpan, spansOf, type ShiftSpan } from './spans.js';
import styles from './on-call.module.css';

const aheadMs = 60 * 86_400_000;

export interface SwapDialogProps {
  schedule: Schedule;
  span: ShiftSpan;
  zone: string;
  close: () => void;
}

/** Two members take over a shift of each other: both, or none. */
export function SwapDialog({ schedule: { id, name }, span, zone, close }: SwapDialogProps) {
  const now = useNow();
  const [since] = useState(() => Math.floor(Date.now() / 60_000) * 60_000);
  const [chosen, setChosen] = useState<string | null>(null);
  const [reason, setReason] = useState('');
  const range = { start: since, end: since + aheadMs };
  const query = { since: new Date(range.start).toISOString(), until: new Date(range.end).toISOString() };
  const shifts = useQuery(read('getScheduleShifts', { path: { id }, query }));
  const others = spansOf(shifts.data ?? { shifts: [], gaps: [] }, range).filter(
    (other): other is ShiftSpan => other.kind === 'shift' && other.userId !== span.userId,
  );
  const other = others.find((each) => keyOfSpan(each) === chosen);
  const swap = useAct('swapShifts', {
    changes: onCallReads,
    onSuccess: () => {
      close();
      notifyDone(texts.onCall.swap.done(span.name, other?.name ?? ''));
    },
  });
  const timesOf = (each: ShiftSpan): string =>
    texts.onCall.span(...spanTexts(new Date(each.start).toISOString(), new Date(each.end).toISOString(), zone, now));
  const takenOver = (each: ShiftSpan) => ({
    userId: each.userId,
    startsAt: new Date(Math.max(each.start, since)).toISOString(),
    endsAt: new Date(each.end).toISOString(),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!other) return;
    swap.mutate({ path: { id }, body: { a: takenOver(span), b: takenOver(other), reason: reason.trim() || null } });
  };
  return (
    <FormDialog
      title={texts.onCall.swap.title(name)}
      form={{ submit, error: swap.error, isSending: swap.isPending }}
      close={close}
      action={texts.onCall.swap.create}
      isDisabled={!other}
    >
      <p className={styles.hint}>
        <bdi>{texts.onCall.swap.gives(span.name, timesOf(span))}</bdi>
      </p>
      {shifts.isPending && <RowsSkeleton rows={4} />}
      {shifts.isError && <ErrorState error={shifts.error} retry={() => void shifts.refetch()} />}
      {shifts.isSuccess && others.length === 0 && <p>{texts.onCall.swap.nobody}</p>}
      {others.length > 0 && (
        <Radio.Group label={texts.onCall.swap.takes} value={chosen} onChange={setChosen}>
          <ScrollArea.Autosize mah="16rem" type="auto" mt="xs">
            <Stack gap="xs">
              {others.map((each) => (
                <Radio
                  key={keyOfSpan(each)}
                  value={keyOfSpan(each)}
                  label={<bdi>{texts.onCall.swap.shift(each.name, timesOf(each))}</bdi>}
                />
              ))}
            </Stack>
          </ScrollArea.Autosize>
        </Radio.Group>
      )}
      <TextInput
        label={texts.onCall.reason}
        value={reason}
        maxLength={1000}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </FormDialog>
  );
}
