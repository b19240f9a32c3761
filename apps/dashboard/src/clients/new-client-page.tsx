import { useNavigate } from '@tanstack/react-router';
import schema from 'schema:PostClient';
import { useAct } from '../api/use-act.js';
import { viewerZone } from '../app/zone.js';
import { texts } from '../texts/texts.js';
import { notifyDone } from '../ui/notify.js';
import { PageHeader } from '../ui/page-header.js';
import { ClientForm } from './client-form.js';
import { bodyOf, emptyClient } from './client-values.js';
import styles from './clients.module.css';

export function NewClientPage() {
  const navigate = useNavigate();
  const create = useAct('createClient', {
    changes: ['listClients'],
    onSuccess: ({ data: { id, name } }) => {
      notifyDone(texts.clients.created(name));
      void navigate({ to: '/clients/$id', params: { id } });
    },
  });
  return (
    <>
      <PageHeader title={texts.newRecords.createClient} />
      <div className={styles.page}>
        <ClientForm
          schema={schema}
          initial={emptyClient(viewerZone())}
          send={(values) => create.mutateAsync({ body: bodyOf(values) })}
          action={texts.ui.create}
        />
      </div>
    </>
  );
}
