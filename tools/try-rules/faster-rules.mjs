// The rules of an installation, made faster, so that a trial needs seconds in place of minutes.

/** Times are divided by it. */
const factor = 30;

/** Services measure what waits every 5 seconds: one value must not be enough for an alert. */
const leastFor = 8;

/** An age that is less than this is normal on a busy machine. */
const leastSeconds = 5;

/** Higher least limits of ages that services renew at longer intervals. */
const leastSecondsOf = {
  // A measurement is repeated after a pause of 5 seconds.
  ams_measurement_age_seconds: 12,
  // Missing pages are looked for every 20 to 30 seconds, and the age is measured every 5 seconds.
  ams_pages_last_look_seconds: 50,
};

const unitSeconds = { s: 1, m: 60, h: 3600 };
const fasterTime = (number, unit) => Math.round((Number(number) * unitSeconds[unit]) / factor);

/** `5m` becomes `10s`. */
const fasterFor = (text) => {
  const [, number, unit] = /^(\d+)([smh])$/.exec(text);
  return `${Math.max(leastFor, fasterTime(number, unit))}s`;
};

const fasterRanges = (expr) =>
  expr.replace(/\[(\d+)([smh])\]/g, (_all, number, unit) => `[${fasterTime(number, unit)}s]`);
const fasterOffsets = (expr) =>
  expr.replace(/\boffset (\d+)([smh])\b/g, (_all, number, unit) => `offset ${fasterTime(number, unit)}s`);

/** The limit of the gauge of an age: `max by (queue) (ams_outbox_oldest_row_seconds) > 60`. */
const fasterLimits = (expr) =>
  expr.replace(/\b(ams_\w+_seconds)(\{[^}]*\})?(\)+ > )(\d+)/g, (_all, metric, selector = '', between, seconds) => {
    const least = leastSecondsOf[metric] ?? leastSeconds;
    return `${metric}${selector}${between}${Math.max(least, Number(seconds) / factor)}`;
  });

const fasterExpression = (expr) => fasterLimits(fasterOffsets(fasterRanges(expr)));

/** `{ groups }` of a rule file, made faster. */
export const fasterRules = ({ groups }) => ({
  groups: groups.map(({ name, rules }) => ({
    name,
    rules: rules.map((rule) => ({
      ...rule,
      expr: fasterExpression(rule.expr),
      ...(rule.for && { for: fasterFor(rule.for) }),
    })),
  })),
});
