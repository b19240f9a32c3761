import { SegmentedControl, TextInput } from '@mantine/core';
import schema from 'schema:PostMailRecipient';
import type { Body } from '../../api/operation-types.js';
import { useAct } from '../../api/use-act.js';
import { texts } from '../../texts/texts.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { notifyDone } from '../../ui/notify.js';
import { useForm } from '../../ui/use-form.js';

const kinds = ['address', 'domain'] as const;

/** `close`: with the id of the new record when it shows what to do next. */
export function NewRecipient({ close }: { close: (id?: string) => void }) {
  const said = texts.mailRecipients;
  const create = useAct('createMailRecipient', { changes: ['listMailRecipients'] });
  const form = useForm<Body<'createMailRecipient'>>({
    schema,
    initial: { kind: 'address', value: '' },
    send: async (body) => {
      const { data } = await create.mutateAsync({ body });
      notifyDone(body.kind === 'address' ? said.linkSent(body.value) : said.added(body.value));
      close(body.kind === 'domain' ? data.id : undefined);
    },
  });
  const { kind } = form.values;
  return (
    <FormDialog title={said.add} form={form} close={() => close()}>
      <SegmentedControl
        aria-label={said.kind}
        value={kind}
        onChange={(next) => form.set('kind', kinds.find((one) => one === next) ?? 'address')}
        data={kinds.map((value) => ({ value, label: said.kinds[value] }))}
      />
      <TextInput
        {...form.field('value')}
        label={said.kinds[kind]}
        description={kind === 'address' ? said.addressHint : said.domainHint}
        placeholder={kind === 'address' ? 'ops@example.com' : 'example.com'}
        required
        data-autofocus
      />
    </FormDialog>
  );
}
