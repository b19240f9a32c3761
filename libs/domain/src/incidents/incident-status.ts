/** The three states of an incident. */

export const incidentStatuses = ['triggered', 'acknowledged', 'resolved'] as const;

export type IncidentStatus = (typeof incidentStatuses)[number];
