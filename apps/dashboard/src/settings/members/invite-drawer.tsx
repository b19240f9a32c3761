import { Button, TextInput } from '@mantine/core';
import schema from 'schema:PostMember';
import type { Body } from '../../api/operation-types.js';
import { useAct } from '../../api/use-act.js';
import { viewerZone } from '../../app/zone.js';
import { texts } from '../../texts/texts.js';
import { DetailDrawer } from '../../ui/detail-drawer.js';
import { FormError } from '../../ui/form-error.js';
import { notifyDone } from '../../ui/notify.js';
import { useForm } from '../../ui/use-form.js';
import { ZoneSelect } from '../../ui/zone-select.js';
import { RoleSelect } from './role-select.js';
import formStyles from '../../ui/form.module.css';
import styles from '../settings.module.css';

export const InviteDrawer = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => (
  <DetailDrawer title={texts.members.form.title} open={isOpen} onClose={onClose}>
    <InviteForm onDone={onClose} />
  </DetailDrawer>
);

function InviteForm({ onDone }: { onDone: () => void }) {
  const said = texts.members;
  const invite = useAct('inviteMember', { changes: ['listMembers'] });
  const form = useForm<Body<'inviteMember'>>({
    schema,
    initial: { name: '', email: '', role: 'viewer', timezone: viewerZone() },
    send: async (body) => {
      await invite.mutateAsync({ body });
      notifyDone(said.invited(body.email));
      onDone();
    },
  });
  return (
    <form className={formStyles.form} onSubmit={form.submit} noValidate>
      <p className={styles.dimmed}>{said.form.hint}</p>
      <TextInput {...form.field('name')} label={said.name} required data-autofocus />
      <TextInput {...form.field('email')} label={said.email} type="email" required />
      <RoleSelect
        value={form.values.role ?? 'viewer'}
        onChange={(role) => form.set('role', role)}
        error={form.errorAt('role')}
      />
      <ZoneSelect
        label={said.timezone}
        value={form.values.timezone ?? 'UTC'}
        onChange={(zone) => form.set('timezone', zone ?? 'UTC')}
        error={form.errorAt('timezone')}
      />
      <FormError error={form.error} />
      <div className={formStyles.buttons}>
        <Button type="submit" loading={form.isSending}>
          {said.form.send}
        </Button>
      </div>
    </form>
  );
}
