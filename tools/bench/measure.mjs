// Numbers of several rounds: median, least and greatest; and systems measured in turn, so that what drifts on the machine
// reaches all of them.

export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length === 0
    ? NaN
    : sorted.length % 2 === 1
      ? sorted[middle]
      : (sorted[middle - 1] + sorted[middle]) / 2;
};

export const summary = (values) => ({
  median: median(values),
  min: Math.min(...values),
  max: Math.max(...values),
  values,
});

/** A B C, A B C, …: the samples of each system, by its name. Every other round goes backwards, so that nobody is always first. */
export async function alternate(rounds, systems, between = async () => undefined) {
  const samples = Object.fromEntries(systems.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? systems : [...systems].reverse();
    for (const system of order) {
      samples[system.name].push(await system.run(round));
      await between(system, round);
    }
  }
  return samples;
}

export const pluck = (samples, key) =>
  samples.map((sample) => key.split('.').reduce((value, name) => value?.[name], sample));
