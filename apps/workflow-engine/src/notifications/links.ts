/**
 * Links in messages. A signed link contains its action, the member and the time of expiry. Nothing is stored, and
 * nothing can be guessed.
 */
import { actionLink } from '@ams/contracts';
import { secretKeysIn } from '@ams/service';
import type { WorkflowEngineSettings } from '../settings.js';
import type { NoticeSubject } from './notice-subject.js';
import type { NotificationEntity } from './notification.entity.js';

type Receiver = Pick<NotificationEntity, 'organizationId' | 'environment' | 'memberId' | 'destination'>;

/** The number of characters of a title in a link. */
const titleLength = 80;

const noLinks = { open: null, acknowledge: null, resolve: null } as const;

/**
 * Everybody can open the page of the dashboard, and signs in there. Only a member gets a link with an action: the action
 * is recorded with the member's name. A webhook has its own fields.
 */
export function linksFor(
  settings: WorkflowEngineSettings,
  { organizationId, environment, memberId, destination }: Receiver,
  { alert, incident }: Pick<NoticeSubject, 'alert' | 'incident'>,
): { open: string | null; acknowledge: string | null; resolve: string | null } {
  const { linkSecret, linkHours, publicUrl } = settings;
  const about = incident ?? alert;
  if (!about || destination.channel === 'webhook') return noLinks;
  const base = publicUrl.replace(/\/+$/, '');
  const page = incident ? `incidents/${incident.number}` : `alerts/${about.id}`;
  const open = `${base}/${page}${environment === 'test' ? '?env=test' : ''}`;
  const mayAct = memberId !== null && (destination.channel === 'email' || destination.channel === 'push');
  const [newestSecret] = linkSecret === undefined ? [] : secretKeysIn(linkSecret);
  if (newestSecret === undefined || !mayAct) return { ...noLinks, open };
  const link = (action: 'acknowledge' | 'resolve'): string =>
    `${base}/act/${actionLink(newestSecret, {
      action,
      id: about.id,
      title: [...about.title].slice(0, titleLength).join(''),
      memberName: destination.channel === 'push' ? destination.name : (destination.name ?? destination.address),
      memberId,
      organizationId,
      environment,
      expiresAt: Date.now() + linkHours * 3_600_000,
    })}`;
  return { open, acknowledge: link('acknowledge'), resolve: link('resolve') };
}
