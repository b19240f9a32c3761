import { startSystem } from './system.js';
it('x', async () => {
  const system = await startSystem();
  const acme = await system.organization();
  const sender = await acme.integration({ type: 'generic' });
  console.log(JSON.stringify(sender));
  for (let i = 0; i < 5; i++) { const a = await sender.send({ title: 'x', severity: 'low' }); console.log(a.status, JSON.stringify(a.body)); await new Promise((r) => setTimeout(r, 500)); }
  console.log(system.logs());
  await system.stop();
});
