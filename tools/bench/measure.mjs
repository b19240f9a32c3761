// Statistics of several rounds: median, minimum and maximum. Systems are measured in turn, so that drift of the machine
// affects all of them.

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

/**
 * A B C, A B C, …: the samples of each system, by its name. Every other round has the reverse order, so that no system
 * is always first.
 */
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
