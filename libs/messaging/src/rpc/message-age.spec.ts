import { setTimeout as pause } from 'node:timers/promises';
import { MessageAge } from './message-age.js';

describe('the greatest possible age of a message', () => {
  it('grows while no PING is answered, and is short again after an answer', async () => {
    const answers: (() => void)[] = [];
    const age = new MessageAge(() => new Promise<void>((resolve) => answers.push(resolve)), 1);
    age.start();
    await pause(100);
    expect(answers).toHaveLength(1);
    expect(age.limitMs).toBeGreaterThanOrEqual(95);
    answers[0]?.();
    while (answers.length < 2) await pause(1);
    // The first PING was sent at the beginning: its answer proves nothing about the time since.
    expect(age.limitMs).toBeGreaterThanOrEqual(95);
    const secondAt = performance.now();
    answers[1]?.();
    while (answers.length < 3) await pause(1);
    expect(age.limitMs).toBeLessThanOrEqual(performance.now() - secondAt + 50);
    age.stop();
  });

  it('continues after a PING that fails', async () => {
    let asked = 0;
    const age = new MessageAge(async () => {
      asked += 1;
      if (asked === 1) throw new Error('NATS disconnected');
    }, 1);
    age.start();
    while (asked < 3) await pause(1);
    age.stop();
  });
});
