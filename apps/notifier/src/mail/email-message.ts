/** One mail. nodemailer takes these fields. */
export interface EmailMessage {
  to: { name: string; address: string };
  subject: string;
  text: string;
  html: string;
  messageId: string;
  inReplyTo: string;
  references: string;
  priority: 'high' | 'normal';
  headers: Record<string, string>;
}
