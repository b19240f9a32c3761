/** The database does not have the alert, the incident or the page of this many events: it has lost them. */
export class SubjectsMissing extends Error {
  constructor(readonly count: number) {
    super(`the database has lost the alerts or incidents of ${count} events`);
  }
}
