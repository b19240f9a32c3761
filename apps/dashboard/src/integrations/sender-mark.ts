/** The letters and the colour of a sender, in place of a logo that is not ours. */
const notLetters = /[^\p{L}\p{N} ]+/gu;

/** `Prometheus Alertmanager` is PA, `Grafana` is Gr. */
export function lettersOf(name: string): string {
  const words = name.replace(notLetters, ' ').split(' ').filter(Boolean);
  const [first = '?', second] = words;
  return second === undefined ? first.slice(0, 2) : `${first.slice(0, 1)}${second.slice(0, 1)}`.toUpperCase();
}

/** One of eight hues, always the same for a type. */
export function hueOf(type: string): number {
  let sum = 0;
  for (const letter of type) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 997;
  return sum % 8;
}
