/** What makes a new record, on its page and in the command palette, by operation. */
export const newRecords = {
  createIncident: 'New incident',
  createSuppressionWindow: 'New window',
  createIntegration: 'New integration',
  createWorkflow: 'New workflow',
  createClient: 'New client',
  createApiKey: 'New API key',
};
