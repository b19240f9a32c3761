export const settings = {
  title: 'Settings',
  sections: {
    profile: 'Profile',
    members: 'Members',
    apiKeys: 'API keys',
    auditLog: 'Audit log',
    organization: 'Organization',
    notifications: 'Notifications',
    mailRecipients: 'Mail recipients',
    status: 'Status',
  },
};
