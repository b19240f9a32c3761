import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { cannotShow, read } from '../api/queries.js';
import { useAct } from '../api/use-act.js';
import { useCan } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { notifyDone } from '../ui/notify.js';
import { PageError } from '../ui/page-error.js';
import { PageHeader } from '../ui/page-header.js';
import { PageSkeleton } from '../ui/skeletons.js';
import { windowRoute } from './suppression.routes.js';
import { useWindowForm } from './use-window-form.js';
import { bodyOf, valuesOf, type SuppressionWindow } from './window.js';
import { changedByWindow } from './window-acts.js';
import { WindowForm } from './window-form.js';

const { form: words } = texts.suppression;

export function WindowPage() {
  const { id } = windowRoute.useParams();
  const window = useQuery(read('getSuppressionWindow', { path: { id } }));
  if (window.isPending) return <PageSkeleton />;
  if (cannotShow(window)) return <PageError list="/suppression" found={window} />;
  return <EditWindow key={id} window={window.data} />;
}

function EditWindow({ window }: { window: SuppressionWindow }) {
  const { id, name, version } = window;
  const navigate = useNavigate();
  const can = useCan();
  const update = useAct('updateSuppressionWindow', {
    changes: changedByWindow,
    onSuccess: ({ data }) => {
      notifyDone(words.saved(data.name));
      void navigate({ to: '/suppression', search: { window: id } });
    },
  });
  const form = useWindowForm({
    initial: valuesOf(window),
    send: async (values) => {
      const { enabled: _enabled, ...body } = bodyOf(values);
      await update.mutateAsync({ path: { id }, body, ifVersion: version });
    },
  });
  return (
    <>
      <PageHeader
        title={words.edit(name)}
        actions={
          <Button component={Link} to="/suppression" variant="subtle">
            {words.back}
          </Button>
        }
      />
      <WindowForm form={form} canWrite={can('updateSuppressionWindow')} save={words.save} />
    </>
  );
}
