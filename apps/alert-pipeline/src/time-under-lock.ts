/** A time under the locks of the records, and not before their last changes: another replica may have another clock. */
export const timeUnderLock = (records: readonly { updatedAt: string }[]): Date =>
  new Date(records.reduce((latest, { updatedAt }) => Math.max(latest, Date.parse(updatedAt)), Date.now()));
