// What a fault has shown, against what it must show.

/**
 * Sentences about the differences of one fault. `record`: by rule, which alerts have fired (alerts.mjs). `ended`:
 * whether all have ended in time.
 */
export function differencesOf({ name, must, may = {} }, record, ended) {
  const missing = must.filter((wanted) => ![...record.values()].some(({ alerts }) => isAmong(alerts, wanted)));
  const allowed = new Set([...must.map(ruleOf), ...Object.keys(may)]);
  const unexpected = [...record].filter(([rule]) => !allowed.has(rule));
  return [
    ...missing.map((wanted) => `${name}: ${wanted} did not fire`),
    ...unexpected.map(([, { alerts }]) => `${name}: ${[...alerts].join(', ')} fired and must not`),
    ...(ended ? [] : [`${name}: alerts did not end in time`]),
  ];
}

/** `AmsServiceDown` is any alert of the rule, `AmsServiceDown{auth}` one of them. */
const isAmong = (alerts, wanted) =>
  [...alerts].some((alert) => alert === wanted || (!wanted.includes('{') && ruleOf(alert) === wanted));

export const ruleOf = (alert) => alert.split('{')[0];

/** Sentences about rules that no fault covers, and about names that are no rules. */
export function uncovered(rules, faults, without) {
  const covered = new Set(faults.flatMap(({ must }) => must.map(ruleOf)));
  const named = [...covered, ...faults.flatMap(({ may = {} }) => Object.keys(may)), ...Object.keys(without)];
  return [
    ...rules.filter((rule) => !covered.has(rule) && !(rule in without)).map((rule) => `${rule} has no fault`),
    ...[...new Set(named)].filter((rule) => !rules.includes(rule)).map((rule) => `${rule} is no rule`),
  ];
}
