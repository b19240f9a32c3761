/**
 * Links in messages. A signed link contains its action, the member and the time of expiry. Nothing is stored, and
 * nothing can be guessed.
 */
import { actionLink } from '@ams/contracts';
import type { WorkflowEngineSettings } from '../settings.js';
import type { NoticeSubject } from './notice-subject.js';
import type { NotificationEntity } from './notification.entity.js';

type Receiver = Pick<NotificationEntity, 'organizationId' | 'environment' | 'memberId' | 'destination'>;

/** The number of characters of a title in a link. */
const titleLength = 80;

/** There is no link for `open`, because there is no dashboard. */
const noLinks = { open: null, acknowledge: null, resolve: null } as const;

/** Only a member can use a link with an action: the action is recorded with the member's name. */
export function linksFor(
  settings: WorkflowEngineSettings,
  { organizationId, environment, memberId, destination }: Receiver,
  { alert, incident }: Pick<NoticeSubject, 'alert' | 'incident'>,
): { open: string | null; acknowledge: string | null; resolve: string | null } {
  const { linkSecret, linkHours, publicUrl } = settings;
  const about = incident ?? alert;
  if (!about || !linkSecret || !memberId || destination.channel !== 'email') return noLinks;
  const base = publicUrl.replace(/\/+$/, '');
  const link = (action: 'acknowledge' | 'resolve'): string =>
    `${base}/act/${actionLink(linkSecret, {
      action,
      id: about.id,
      title: [...about.title].slice(0, titleLength).join(''),
      memberName: destination.name ?? destination.address,
      memberId,
      organizationId,
      environment,
      expiresAt: Date.now() + linkHours * 3_600_000,
    })}`;
  return { ...noLinks, acknowledge: link('acknowledge'), resolve: link('resolve') };
}
