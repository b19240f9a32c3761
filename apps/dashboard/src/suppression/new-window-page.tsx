import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAct } from '../api/use-act.js';
import { useCan, useSession } from '../app/session.js';
import { viewerZone } from '../app/zone.js';
import { texts } from '../texts/texts.js';
import { notifyDone } from '../ui/notify.js';
import { PageHeader } from '../ui/page-header.js';
import { newWindowRoute } from './suppression.routes.js';
import { useWindowForm } from './use-window-form.js';
import { bodyOf, matchersIn, newWindow } from './window.js';
import { changedByWindow } from './window-acts.js';
import { WindowForm } from './window-form.js';

const { form: words } = texts.suppression;

export function NewWindowPage() {
  const { silence, name, matchers, integrationId, clientId } = newWindowRoute.useSearch();
  const { member } = useSession();
  const navigate = useNavigate();
  const can = useCan();
  const isSilence = silence !== undefined;
  const [initial] = useState(() =>
    newWindow(Date.now(), member.timezone || viewerZone(), {
      name: name === undefined ? undefined : (isSilence ? words.silence(name) : name).slice(0, 200),
      matchers: matchersIn(matchers),
      integrationId,
      clientId,
    }),
  );
  const create = useAct('createSuppressionWindow', {
    changes: changedByWindow,
    onSuccess: ({ data }) => {
      notifyDone(words.created(data.name));
      void navigate({ to: '/suppression', search: { window: data.id } });
    },
  });
  const form = useWindowForm({
    initial,
    send: async (values) => void (await create.mutateAsync({ body: bodyOf(values) })),
  });
  return (
    <>
      <PageHeader
        title={words.new}
        actions={
          <Button component={Link} to="/suppression" variant="subtle">
            {words.back}
          </Button>
        }
      />
      <WindowForm
        form={form}
        canWrite={can('createSuppressionWindow')}
        save={isSilence ? words.silenceNow : words.create}
        isNew
      />
    </>
  );
}
