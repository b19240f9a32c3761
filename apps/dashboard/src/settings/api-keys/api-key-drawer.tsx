import { useAct } from '../../api/use-act.js';
import { useCan } from '../../app/session.js';
import { texts } from '../../texts/texts.js';
import { ActorName } from '../../ui/actor-name.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { DetailDrawer } from '../../ui/detail-drawer.js';
import { ExactTime } from '../../ui/exact-time.js';
import { Facts } from '../../ui/facts.js';
import { notifyDone, notifyFailed } from '../../ui/notify.js';
import { useRecordNames } from '../../ui/record-names.js';
import { Expiry, LastUsed, type ApiKey } from './api-keys-page.js';
import formStyles from '../../ui/form.module.css';

/** What a key may do, and its end. */
export const ApiKeyDrawer = ({ apiKey, onClose }: { apiKey: ApiKey | undefined; onClose: () => void }) => (
  <DetailDrawer title={<bdi>{apiKey?.name}</bdi>} open={apiKey !== undefined} onClose={onClose}>
    {apiKey !== undefined && <Detail apiKey={apiKey} onClose={onClose} />}
  </DetailDrawer>
);

function Detail({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const said = texts.apiKeys;
  const can = useCan();
  const { id, name, keyPrefix, environment, scopes, createdBy, createdAt } = apiKey;
  const revoke = useAct('revokeApiKey', {
    changes: ['listApiKeys'],
    onSuccess: () => {
      onClose();
      notifyDone(said.revoked(name));
    },
    onError: (error) => notifyFailed(said.revokeFailed(name), error),
  });
  return (
    <>
      <Facts
        facts={[
          [said.prefix, <code>{keyPrefix}…</code>],
          [said.environment, texts.app[environment]],
          [said.scopes, scopes.join(', ')],
          [said.restricted, <Restriction apiKey={apiKey} />],
          [said.lastUsed, <LastUsed row={apiKey} />],
          [said.expiry, <Expiry row={apiKey} />],
          [said.createdBy, <ActorName actor={createdBy} />],
          [said.created, <ExactTime at={createdAt} />],
        ]}
      />
      {can('revokeApiKey') && (
        <div className={formStyles.buttons}>
          <ConfirmButton
            color="red"
            variant="outline"
            loading={revoke.isPending}
            question={{
              title: said.revokeQuestion(name),
              text: said.revokeText,
              action: said.revoke,
              run: () => revoke.mutate({ path: { id } }),
            }}
          />
        </div>
      )}
    </>
  );
}

function Restriction({ apiKey: { restrictedTo } }: { apiKey: ApiKey }) {
  const { clientIds, teamIds } = restrictedTo ?? { clientIds: [], teamIds: [] };
  const nameOf = useRecordNames(['team'], clientIds);
  if (restrictedTo === null) return texts.apiKeys.unrestricted;
  return (
    <>
      {clientIds.length > 0 && (
        <div>
          {texts.apiKeys.clients}: <bdi>{clientIds.map((id) => nameOf('client', id) ?? id).join(', ')}</bdi>
        </div>
      )}
      {teamIds.length > 0 && (
        <div>
          {texts.apiKeys.teams}: <bdi>{teamIds.map((id) => nameOf('team', id) ?? id).join(', ')}</bdi>
        </div>
      )}
    </>
  );
}
