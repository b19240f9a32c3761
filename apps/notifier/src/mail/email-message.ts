/** One mail. nodemailer takes these fields. */
export interface EmailMessage {
  to: { name: string; address: string };
  subject: string;
  text: string;
  html: string;
  messageId: string;
  /** Of a thread. */
  inReplyTo?: string;
  references?: string;
  priority: 'high' | 'normal';
  headers: Record<string, string>;
}
