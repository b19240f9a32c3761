import { conditionHolds, explainCondition, predicateHolds } from './condition.js';
import { type Condition, type Predicate } from './condition-schema.js';
import type { AlertFacts, ConditionFacts } from './condition-facts.js';
import { fieldValue, operators, type Operator } from './condition-fields.js';
import { alert, facts, incident } from '../../testing/condition-facts.js';

const holds = (field: string, op: Operator, value: unknown, timezone?: string) =>
  predicateHolds(timezone === undefined ? { field, op, value } : { field, op, value, timezone }, {
    ...facts,
    incident,
  });

describe('predicates', () => {
  test.each<[string, Operator, unknown, boolean]>([
    ['title', 'eq', 'CPU above 90 %', true],
    ['title', 'eq', 'cpu above 90 %', false],
    ['title', 'neq', 'cpu above 90 %', true],
    ['title', 'contains', 'above', true],
    ['title', 'contains', 'Above', false],
    ['title', 'startsWith', 'CPU', true],
    ['title', 'endsWith', '%', true],
    ['title', 'endsWith', 'CPU', false],
    ['title', 'matches', '\\d+ %', true],
    ['title', 'matches', '^\\d+ %', false],
    ['title', 'matches', '(?i)^cpu', true],
    ['description', 'matches', 'first.*second', true],
    ['title', 'in', ['a', 'CPU above 90 %'], true],
    ['title', 'notIn', ['a', 'CPU above 90 %'], false],
    ['title', 'exists', true, true],
    ['title', 'exists', false, false],
    ['severity', 'eq', 'HIGH', true],
    ['severity', 'in', ['Critical', 'High'], true],
    ['severity', 'gte', 'high', true],
    ['severity', 'gt', 'high', false],
    ['severity', 'gt', 'medium', true],
    ['severity', 'lt', 'Critical', true],
    ['severity', 'lte', 'info', false],
    ['status', 'eq', 'Firing', true],
    ['status', 'neq', 'firing', false],
    ['occurrenceCount', 'eq', 3, true],
    ['occurrenceCount', 'in', [1, 2], false],
    ['occurrenceCount', 'gte', 3, true],
    ['occurrenceCount', 'lt', 3, false],
    ['labels.region', 'eq', 'eu', true],
    ['labels.region', 'eq', 'EU', false],
    ['labels.app.kubernetes.io/name', 'eq', 'shop', true],
    ['labels.empty', 'exists', true, true],
    ['labels.empty', 'eq', '', true],
    ['labels.cpu', 'gt', 90, true],
    ['labels.cpu', 'gt', '90', true],
    ['labels.cpu', 'eq', 92.5, true],
    ['labels.cpu', 'eq', '92.50', false],
    ['labels.version', 'gt', '9', true],
    ['labels.version', 'in', [10, 11], true],
    ['labels.unit', 'gt', 10, false],
    ['labels.unit', 'lte', 10, false],
    ['labels.region', 'neq', 5, true],
    ['annotations.runbook', 'startsWith', 'https://', true],
    ['clientId', 'eq', 'cli_1', true],
    ['integrationId', 'eq', 'int_1', true],
    ['client.id', 'eq', 'cli_1', true],
    ['client.slug', 'eq', 'acme', true],
    ['client.name', 'eq', 'Acme', true],
    ['client.externalId', 'exists', true, false],
    ['integration.name', 'contains', 'Acme', true],
    ['integration.type', 'in', ['zabbix'], true],
    ['incident.number', 'eq', 42, true],
    ['incident.severity', 'gt', 'high', true],
    ['incident.status', 'eq', 'ACKNOWLEDGED', true],
    ['incident.openAlertCount', 'lt', 3, true],
    ['now.time', 'gte', '21:30', true],
    ['now.time', 'lt', '21:30', false],
    ['now.weekday', 'eq', 7, true],
    ['now.weekday', 'in', [1, 2, 3, 4, 5], false],
    ['now.date', 'eq', '2026-03-29', true],
    ['now.date', 'gt', '2026-03-28', true],
  ])('%s %s %j: %s', (field, op, value, expected) => expect(holds(field, op, value)).toBe(expected));

  test.each<[string, string, string, number, string]>([
    ['Europe/Berlin', '2026-03-29T00:59:00.000Z', '01:59', 7, '2026-03-29'],
    ['Europe/Berlin', '2026-03-29T01:00:00.000Z', '03:00', 7, '2026-03-29'],
    ['America/New_York', '2026-03-30T03:59:59.999Z', '23:59', 7, '2026-03-29'],
    ['Asia/Kolkata', '2026-03-29T21:30:00.000Z', '03:00', 1, '2026-03-30'],
    ['UTC', '2026-12-31T23:59:59.999Z', '23:59', 4, '2026-12-31'],
  ])('in %s it is at %s %s, weekday %i, of %s', (timezone, now, time, weekday, date) => {
    const at = { ...facts, now };
    expect([
      fieldValue('now.time', at, timezone),
      fieldValue('now.weekday', at, timezone),
      fieldValue('now.date', at, timezone),
    ]).toEqual([time, weekday, date]);
    expect(predicateHolds({ field: 'now.time', op: 'eq', value: time, timezone }, at)).toBe(true);
  });

  test.each([
    'labels.absent',
    'labels.constructor',
    'labels.toString',
    'annotations.absent',
    'assigneeId',
    'incident.number',
    'incident.severity',
    'client.externalId',
    'no.field',
    '__proto__',
  ])('without a value (%s) only neq, notIn and exists: false hold', (field) => {
    const value: Record<Operator, unknown> = {
      eq: 'a',
      neq: 'a',
      in: ['a'],
      notIn: ['a'],
      contains: '',
      startsWith: '',
      endsWith: '',
      matches: '',
      exists: false,
      gt: 0,
      gte: 0,
      lt: 0,
      lte: 0,
    };
    expect(operators.filter((op) => predicateHolds({ field, op, value: value[op] }, facts))).toEqual([
      'neq',
      'notIn',
      'exists',
    ]);
    expect(predicateHolds({ field, op: 'exists', value: true }, facts)).toBe(false);
  });

  describe('on alerts.any', () => {
    const alerts: AlertFacts[] = [
      { ...alert, severity: 'low', labels: { team: 'web', cpu: '80' } },
      { ...alert, severity: 'critical', labels: { team: 'db' }, description: null },
    ];
    const ofIncident: ConditionFacts = { ...facts, alert: null, incident, alerts };

    test.each<[string, Operator, unknown, boolean, unknown]>([
      ['alerts.any.labels.team', 'eq', 'db', true, 'db'],
      ['alerts.any.labels.team', 'eq', 'cache', false, 'web, db'],
      ['alerts.any.labels.team', 'neq', 'db', true, 'web'],
      ['alerts.any.labels.team', 'exists', false, false, 'web, db'],
      ['alerts.any.labels.cpu', 'gt', 75, true, '80'],
      ['alerts.any.labels.cpu', 'gt', 85, false, '80'],
      ['alerts.any.labels.cpu', 'exists', false, true, null],
      ['alerts.any.severity', 'gte', 'high', true, 'critical'],
      ['alerts.any.severity', 'in', ['medium', 'info'], false, 'low, critical'],
      ['alerts.any.description', 'exists', true, true, 'first line\nsecond line'],
      ['alerts.any.annotations.runbook', 'startsWith', 'https:', true, 'https://wiki/cpu'],
    ])('%s %s %j holds when it holds for one of the alerts: %s', (field, op, compared, expected, actual) => {
      const predicate = { field, op, value: compared };
      expect(predicateHolds(predicate, ofIncident)).toBe(expected);
      expect(explainCondition(predicate, ofIncident).trace).toMatchObject({ holds: expected, actual });
    });

    test('nothing holds for an incident without alerts', () => {
      for (const op of operators)
        for (const compared of ['a', ['a'], 0, true, false])
          expect(
            predicateHolds({ field: 'alerts.any.labels.a', op, value: compared }, { ...ofIncident, alerts: [] }),
          ).toBe(false);
    });
  });

  test('all facts may be missing', () => {
    const nothing: ConditionFacts = { alert: null, client: null, integration: null, incident: null, now: facts.now };
    for (const field of ['title', 'severity', 'labels.a', 'client.slug', 'integration.name', 'incident.title'])
      expect(fieldValue(field, nothing)).toBeNull();
  });

  test('stored settings that can no longer be read have no value or match nothing', () => {
    expect(holds('now.time', 'gte', '00:00', 'Europe/Atlantis')).toBe(false);
    expect(holds('title', 'matches', '(')).toBe(false);
    expect(holds('title', 'matches', '(?:.?){1000}(?:.?){1000}')).toBe(false);
  });

  test('more patterns than the cache holds all work correctly', () => {
    const patterns = Array.from({ length: 1_100 }, (_, index) => `^web-${index}$`);
    for (const round of [0, 1]) {
      const matching = patterns.filter((value) =>
        predicateHolds(
          { field: 'title', op: 'matches', value },
          { ...facts, alert: { ...alert, title: `web-${round}` } },
        ),
      );
      expect(matching).toEqual([`^web-${round}$`]);
    }
  });
});

describe('trees', () => {
  const yes: Predicate = { field: 'title', op: 'exists', value: true };
  const no: Predicate = { field: 'labels.absent', op: 'eq', value: 'x' };

  test.each<[string, Condition | null, boolean]>([
    ['no condition', null, true],
    ['all, one of which does not hold', { all: [yes, no] }, false],
    ['all', { all: [yes, { not: no }] }, true],
    ['any', { any: [no, yes] }, true],
    ['any of none that holds', { any: [no, no] }, false],
    ['not', { not: { any: [no, { all: [yes, no] }] } }, true],
  ])('%s', (_name, condition, expected) => {
    expect(conditionHolds(condition, facts)).toBe(expected);
    expect(explainCondition(condition, facts).holds).toBe(expected);
  });

  test('a trace has every node, also those that do not affect the result', () => {
    expect(explainCondition({ all: [no, { not: yes }, { any: [yes, no] }] }, facts)).toEqual({
      holds: false,
      trace: {
        path: 'conditions',
        kind: 'all',
        holds: false,
        children: [
          {
            path: 'conditions.all[0]',
            kind: 'predicate',
            holds: false,
            field: 'labels.absent',
            op: 'eq',
            value: 'x',
            actual: null,
          },
          {
            path: 'conditions.all[1]',
            kind: 'not',
            holds: false,
            children: [
              {
                path: 'conditions.all[1].not',
                kind: 'predicate',
                holds: true,
                field: 'title',
                op: 'exists',
                value: true,
                actual: 'CPU above 90 %',
              },
            ],
          },
          {
            path: 'conditions.all[2]',
            kind: 'any',
            holds: true,
            children: [
              {
                path: 'conditions.all[2].any[0]',
                kind: 'predicate',
                holds: true,
                field: 'title',
                op: 'exists',
                value: true,
                actual: 'CPU above 90 %',
              },
              {
                path: 'conditions.all[2].any[1]',
                kind: 'predicate',
                holds: false,
                field: 'labels.absent',
                op: 'eq',
                value: 'x',
                actual: null,
              },
            ],
          },
        ],
      },
    });
    expect(explainCondition(null, facts)).toEqual({
      holds: true,
      trace: { path: 'conditions', kind: 'always', holds: true },
    });
  });

  test('a trace shows the time zone, and the beginning of a long text', () => {
    const long = { ...facts, alert: { ...alert, description: 'x'.repeat(32_768) } };
    expect(explainCondition({ field: 'description', op: 'endsWith', value: 'x' }, long).trace).toMatchObject({
      holds: true,
      actual: `${'x'.repeat(1_024)}…`,
    });
    expect(
      explainCondition({ field: 'now.time', op: 'eq', value: '03:00', timezone: 'Asia/Kolkata' }, facts).trace,
    ).toMatchObject({ holds: true, actual: '03:00', timezone: 'Asia/Kolkata' });
  });
});
