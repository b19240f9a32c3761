import { replyTo } from './admit-reply.js';
import { type AdmissionRow } from './admit-statement.js';

describe('the reply', () => {
  const limit = { requests: 5, windowSeconds: 60 };
  const row: AdmissionRow = {
    index: 0,
    keyId: 'k',
    organizationId: 'o',
    environment: 'live',
    name: 'n',
    scopes: ['alerts:read'],
    clientIds: null,
    teamIds: null,
    expiresAt: null,
    position: 3,
    within: true,
    repeated: false,
    resetsIn: 12.2,
  };
  const request = {
    useId: '',
    keyHash: '',
    scope: 'alerts:read' as const,
    operation: '',
    requestId: '',
    ip: null,
    userAgent: null,
  };

  it.each([
    ['the rest of the window is rounded up', row, { limit: 5, remaining: 2, resetSeconds: 13 }],
    ['never nothing', { ...row, resetsIn: -0.4 }, { limit: 5, remaining: 2, resetSeconds: 1 }],
    ['never more than a window', { ...row, resetsIn: 61 }, { limit: 5, remaining: 2, resetSeconds: 60 }],
  ])('%s', (_what, given, rate) => expect(replyTo(request, given, limit)).toMatchObject({ kind: 'admitted', rate }));
});
