/** Sends alerts, for ways that need many of them. The titles begin with `prefix`. */
export async function sendAlerts({ send, tokens }, prefix, count) {
  for (let i = 0; i < count; i += 10)
    await Promise.all(
      Array.from({ length: 10 }, (_, j) =>
        send(tokens[j % tokens.length], {
          title: `${prefix}${i + j}`,
          fingerprint: `${prefix}${i + j}`,
          severity: 'low',
          labels: Object.fromEntries(Array.from({ length: 20 }, (_label, k) => [`l${k}`, `${(i + j) % (k + 2)}`])),
        }),
      ),
    );
}
