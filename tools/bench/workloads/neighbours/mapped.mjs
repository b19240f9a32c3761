/** Makes integrations with these mapping settings, and returns their tokens. */
export async function mapped({ call }, settings) {
  const tokens = [];
  for (let i = 0; i < 4; i++) {
    const { data, status } = await call('POST', '/integrations', { name: `mapped ${i}`, ...settings });
    if (status !== 201) throw new Error(`the integration could not be made: ${status}`);
    tokens.push(data.ingestUrl.split('/').at(-1));
  }
  return tokens;
}
