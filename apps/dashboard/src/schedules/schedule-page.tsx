import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import schema from 'schema:PutSchedule';
import { cannotShow, read } from '../api/queries.js';
import { useAct } from '../api/use-act.js';
import { useCan } from '../app/session.js';
import { Dialogs, type OpenDialog, type Schedule } from '../on-call/dialogs.js';
import { onCallReads } from '../on-call/override-dialog.js';
import { texts } from '../texts/texts.js';
import { DeleteButton } from '../ui/delete-button.js';
import { faultsOf } from '../ui/form-faults.js';
import { notifyDone } from '../ui/notify.js';
import { PageError } from '../ui/page-error.js';
import { PageHeader } from '../ui/page-header.js';
import { PageSkeleton } from '../ui/skeletons.js';
import { useForm } from '../ui/use-form.js';
import { bodyOf, draftOf, settingsOf, type Draft } from './draft.js';
import { LayersForm } from './layers-form.js';
import { OverridesList } from './overrides-list.js';
import { Preview } from './preview.js';
import { scheduleRoute } from './schedules.routes.js';
import { UsedBy } from './used-by.js';
import styles from './schedules.module.css';

export function SchedulePage() {
  const { id } = scheduleRoute.useParams();
  const schedule = useQuery(read('getSchedule', { path: { id } }));
  if (schedule.isPending) return <PageSkeleton />;
  if (cannotShow(schedule)) return <PageError list="/on-call" found={schedule} />;
  return <ScheduleEditor key={id} schedule={schedule.data} />;
}

const previewAfterMs = 400;

function ScheduleEditor({ schedule }: { schedule: Schedule }) {
  const { id, name, version } = schedule;
  const can = useCan();
  const navigate = scheduleRoute.useNavigate();
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const update = useAct('updateSchedule', { changes: [...onCallReads, 'listEscalationPolicies'] });
  const form = useForm<Draft>({
    schema,
    initial: draftOf(schedule),
    toBody: bodyOf,
    send: async (draft) => {
      const { data } = await update.mutateAsync({ path: { id }, body: bodyOf(draft), ifVersion: version });
      form.reset(draftOf(data));
      notifyDone(texts.schedules.saved(data.name));
    },
  });
  const [draft] = useDebouncedValue(form.values, previewAfterMs);
  const settings = settingsOf(draft);
  const isValid = faultsOf(schema, settings).length === 0;
  return (
    <>
      <PageHeader
        title={name}
        actions={
          <>
            <Button component={Link} to="/on-call" variant="subtle">
              {texts.schedules.toCalendar}
            </Button>
            {can('createScheduleFeed') && (
              <Button variant="default" onClick={() => setDialog({ kind: 'feed', schedule })}>
                {texts.onCall.feed.open}
              </Button>
            )}
            <DeleteButton
              operation="deleteSchedule"
              id={id}
              changes={onCallReads}
              question={texts.schedules.deleteTitle(name)}
              text={texts.schedules.deleteText}
              done={texts.schedules.deleted(name)}
              notDone={texts.schedules.notDeleted}
              onDeleted={() => void navigate({ to: '/on-call' })}
            />
          </>
        }
      />
      <div className={styles.page}>
        <LayersForm form={form} isReadOnly={!can('updateSchedule')} />
        <div className={styles.side}>
          {isValid ? (
            <Preview id={id} settings={settings} zone={draft.timezone} isChanged={form.isChanged} />
          ) : (
            <p className={styles.hint}>{texts.schedules.noPreview}</p>
          )}
          <OverridesList schedule={schedule} zone={draft.timezone} />
          <UsedBy scheduleId={id} />
        </div>
      </div>
      <Dialogs dialog={dialog} open={setDialog} zone={schedule.timezone} />
    </>
  );
}
