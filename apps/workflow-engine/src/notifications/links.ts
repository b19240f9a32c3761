/** Links in messages. What they do, for whom and until when is in them, signed: there is nothing to look up, and nothing to guess. */
import { actionLink, type SendTarget } from '@ams/contracts';
import type { About } from './about.js';
import type { WorkflowEngineSettings } from './settings.js';

interface Receiver {
  organization_id: string;
  environment: 'live' | 'test';
  member_id: string | null;
  destination: SendTarget;
}

/** Characters of a title that travel in a link. */
const titleLength = 80;

/** Nobody can open what has no page: there is no dashboard yet. */
const none = { open: null, acknowledge: null, resolve: null } as const;

/** Only a member can act by a link: it is done in his or her name. */
export function linksFor(
  settings: WorkflowEngineSettings,
  receiver: Receiver,
  { alert, incident }: About,
): { open: string | null; acknowledge: string | null; resolve: string | null } {
  const base = settings.publicUrl.replace(/\/+$/, '');
  const about = incident ?? alert;
  if (!about) return none;
  const { linkSecret, linkHours } = settings;
  const { destination } = receiver;
  if (!linkSecret || !receiver.member_id || destination.channel !== 'email') return none;
  const memberId = receiver.member_id;
  const memberName = destination.name ?? destination.address;
  const title = [...about.title].slice(0, titleLength).join('');
  const link = (action: 'acknowledge' | 'resolve'): string =>
    `${base}/act/${actionLink(linkSecret, {
      action,
      id: about.id,
      title,
      memberName,
      memberId,
      organizationId: receiver.organization_id,
      environment: receiver.environment,
      expiresAt: Date.now() + linkHours * 3_600_000,
    })}`;
  return { ...none, acknowledge: link('acknowledge'), resolve: link('resolve') };
}
