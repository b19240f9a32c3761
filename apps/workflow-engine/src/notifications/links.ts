/**
 * Links in messages. A signed link holds what it does, for whom and until when: nothing is stored, nothing can be
 * guessed.
 */
import { actionLink } from '@ams/contracts';
import type { WorkflowEngineSettings } from '../settings.js';
import type { NoticeSubject } from './notice-subject.js';
import type { NotificationEntity } from './notification.entity.js';

type Receiver = Pick<NotificationEntity, 'organizationId' | 'environment' | 'memberId' | 'destination'>;

/** Characters of a title in a link. */
const titleLength = 80;

/** `open` has no page to lead to: there is no dashboard. */
const noLinks = { open: null, acknowledge: null, resolve: null } as const;

/** Only a member can act by a link: the action is recorded under the member's name. */
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
