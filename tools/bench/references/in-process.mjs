// A reference that does one job in a process of its own, and answers with its figures.
import { fork } from 'node:child_process';
import { join } from 'node:path';

export function inProcess(file, job) {
  return new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, file));
    let answer;
    child.on('message', (message) => (answer = message));
    child.on('exit', (code) =>
      code === 0 && answer !== undefined ? resolve(answer) : reject(new Error(`${file} ended with ${code}`)),
    );
    child.send(job);
  });
}
