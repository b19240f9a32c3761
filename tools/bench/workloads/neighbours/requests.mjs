/** A request of the API, and its result. */
export async function call(baseUrl, key, method, path, body) {
  const answer = await fetch(`${baseUrl}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { data } = await answer.json().catch(() => ({}));
  return { status: answer.status, data };
}

/** Sends a payload; returns the status. */
export async function send(port, token, body) {
  const answer = await fetch(`http://127.0.0.1:${port}/api/inbound/webhook/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await answer.arrayBuffer();
  return answer.status;
}
