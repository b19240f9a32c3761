import fc from 'fast-check';
import {
  changedOrganizationSettings,
  defaultOrganizationSettings,
  severities,
  urgencyOf,
  validateOrganizationSettings,
} from '../index.js';

const faultsOf = (change: object) =>
  validateOrganizationSettings({ ...defaultOrganizationSettings, ...change }).map(
    ({ path, rule }) => `${path} ${rule}`,
  );

test.each<[object, string[]]>([
  [{}, []],
  [{ catchAllPolicyId: 'pol_1', highUrgencySeverities: [], defaultWindowSeconds: 0 }, []],
  [{ highUrgencySeverities: ['medium', 'critical', 'high'] }, []],
  [{ highUrgencySeverities: [...severities] }, []],
  [{ highUrgencySeverities: ['high'] }, ['highUrgencySeverities order']],
  [{ highUrgencySeverities: ['critical', 'low'] }, ['highUrgencySeverities order']],
  [{ highUrgencySeverities: ['critical', 'critical'] }, ['highUrgencySeverities[1] unique']],
  [{ highUrgencySeverities: ['urgent'] }, ['highUrgencySeverities[0] enum']],
  [{ highUrgencySeverities: null }, ['highUrgencySeverities required']],
  [{ catchAllPolicyId: '' }, ['catchAllPolicyId required']],
  [
    { flap: { transitions: 1, windowSeconds: 59, quietSeconds: 86_401 } },
    ['flap.transitions range', 'flap.windowSeconds range', 'flap.quietSeconds range'],
  ],
  [{ flap: { transitions: 4 } }, ['flap.windowSeconds required', 'flap.quietSeconds required']],
  [{ defaultWindowSeconds: -1, timezone: 'UTC' }, ['timezone unknown', 'defaultWindowSeconds range']],
])('the settings with %j', (change, expected) => {
  expect(faultsOf(change)).toEqual(expected);
});

test('a change keeps what is not sent, also in the flap settings, and puts severities in their order', () => {
  expect(
    changedOrganizationSettings(defaultOrganizationSettings, {
      flap: { transitions: 6 },
      highUrgencySeverities: ['medium', 'high', 'critical'],
    }),
  ).toEqual({
    ...defaultOrganizationSettings,
    flap: { transitions: 6, windowSeconds: 900, quietSeconds: 600 },
    highUrgencySeverities: ['critical', 'high', 'medium'],
  });
  const withCatchAll = changedOrganizationSettings(defaultOrganizationSettings, { catchAllPolicyId: 'pol_1' });
  expect(changedOrganizationSettings(withCatchAll, {})).toEqual(withCatchAll);
  expect(changedOrganizationSettings(withCatchAll, { catchAllPolicyId: null }).catchAllPolicyId).toBeNull();
});

test('with valid settings, a more severe alert is never less urgent', () => {
  fc.assert(
    fc.property(fc.subarray([...severities]), (chosen) => {
      const settings = { ...defaultOrganizationSettings, highUrgencySeverities: chosen };
      fc.pre(validateOrganizationSettings(settings).length === 0);
      const urgencies = severities.map((severity) => urgencyOf(severity, settings));
      expect([...urgencies].sort()).toEqual(urgencies);
    }),
  );
});
