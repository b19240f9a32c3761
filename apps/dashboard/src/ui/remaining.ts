/** Milliseconds until `remaining` has another text, at least one. */
export const untilNextSecond = (ms: number): number => ((Math.floor(ms) % 1000) + 1000) % 1000 || 1000;

/** A length in milliseconds as a clock shows it: `0:09`, `12:30`, `1:02:03`, `2d 3h`. Never less than zero. */
export function remaining(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [days, hours, minutes] = [86_400, 3600, 60].map((unit) => Math.floor(seconds / unit)) as [
    number,
    number,
    number,
  ];
  if (days > 0) return `${days}d ${hours % 24}h`;
  const two = (value: number): string => String(value % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}
