import { Button } from '@mantine/core';
import { useAct } from '../../api/use-act.js';
import { useTestData } from '../../app/environment.js';
import { useCan } from '../../app/session.js';
import { texts } from '../../texts/texts.js';
import { CopyButton } from '../../ui/copy-button.js';
import { DeleteButton } from '../../ui/delete-button.js';
import { DetailDrawer } from '../../ui/detail-drawer.js';
import { ExactTime } from '../../ui/exact-time.js';
import { Facts } from '../../ui/facts.js';
import { notifyDone, notifyFailed } from '../../ui/notify.js';
import { Status, type MailRecipient } from './mail-recipients-page.js';
import formStyles from '../../ui/form.module.css';

interface RecipientDrawerProps {
  recipient: MailRecipient | undefined;
  onClose: () => void;
}

/** The state of a recipient, what verifies it, and its end. */
export const RecipientDrawer = ({ recipient, onClose }: RecipientDrawerProps) => (
  <DetailDrawer title={<bdi>{recipient?.value}</bdi>} open={recipient !== undefined} onClose={onClose}>
    {recipient !== undefined && <Detail recipient={recipient} onClose={onClose} />}
  </DetailDrawer>
);

function Detail({ recipient, onClose }: { recipient: MailRecipient; onClose: () => void }) {
  const said = texts.mailRecipients;
  const can = useCan();
  const isTest = useTestData();
  const { id, kind, value, status, reason, verifiedBy, verifiedAt, stoppedAt, dns, createdAt } = recipient;
  const verify = useAct('verifyMailRecipient', {
    changes: ['listMailRecipients'],
    onSuccess: () => notifyDone(kind === 'domain' ? said.verified(value) : said.linkSent(value)),
    onError: (error) => notifyFailed(said.notVerified(value), error),
  });
  const isStopped = stoppedAt !== null;
  return (
    <>
      <Facts
        facts={[
          [said.kind, said.kinds[kind]],
          [said.status, <Status row={recipient} />],
          [said.reason, reason],
          [said.stoppedAt, stoppedAt && <ExactTime at={stoppedAt} />],
          [said.verifiedBy, verifiedBy && said.methods[verifiedBy]],
          [said.verifiedAt, verifiedAt && <ExactTime at={verifiedAt} />],
          [said.created, <ExactTime at={createdAt} />],
          [said.recordName, dns && <Copied text={dns.name} label={said.recordName} />],
          [said.recordValue, dns && <Copied text={dns.text} label={said.recordValue} />],
        ]}
      />
      {isStopped && <p>{said.stoppedText}</p>}
      {dns !== null && status === 'pending' && <p>{said.recordText}</p>}
      {!isTest && (
        <div className={formStyles.buttons}>
          {can('verifyMailRecipient') && status !== 'verified' && (
            <Button loading={verify.isPending} onClick={() => verify.mutate({ path: { id } })}>
              {kind === 'domain' ? said.verify : said.sendLink}
            </Button>
          )}
          {!isStopped && (
            <DeleteButton
              operation="deleteMailRecipient"
              id={id}
              changes={['listMailRecipients']}
              question={said.deleteQuestion(value)}
              text={said.deleteText}
              done={said.deleted(value)}
              notDone={said.notDeleted(value)}
              onDeleted={onClose}
            />
          )}
        </div>
      )}
    </>
  );
}

const Copied = ({ text, label }: { text: string; label: string }) => (
  <>
    <code>{text}</code> <CopyButton value={text} label={label} />
  </>
);
