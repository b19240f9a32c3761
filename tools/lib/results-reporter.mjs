// A Jest reporter that writes `.test-results.json` into the project's folder: the numbers of passed, failed and skipped
// tests, the failures, and the time of each file, also the CPU time of this process, in which the tests of most
// projects run. The file is an output of the `test` target, so a cached run has its counts too.
import { rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './workspace.mjs';

export const resultsFile = (project) => join(project, '.test-results.json');

export default class ResultsReporter {
  constructor({ rootDir }) {
    this.file = resultsFile(rootDir);
    this.before = new Map();
    this.cpuSeconds = new Map();
    rmSync(this.file, { force: true }); // a run that ends too early leaves none
  }

  onTestFileStart({ path }) {
    this.before.set(path, process.cpuUsage());
  }

  onTestFileResult({ path }) {
    const { user, system } = process.cpuUsage(this.before.get(path));
    this.cpuSeconds.set(path, Math.round((user + system) / 1e5) / 10);
  }

  onRunComplete(_contexts, results) {
    const failures = results.testResults.flatMap(({ testFilePath, testResults, testExecError }) => [
      ...testResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName, failureMessages }) => failure(testFilePath, fullName, failureMessages.join('\n'))),
      ...(testExecError
        ? [failure(testFilePath, 'the file itself', testExecError.stack ?? testExecError.message)]
        : []),
    ]);
    const { numPassedTests: passed, numPendingTests, numTodoTests } = results;
    const counts = { passed, failed: failures.length, skipped: numPendingTests + numTodoTests };
    const files = results.testResults.map(({ testFilePath, perfStats }) => ({
      path: relative(root, testFilePath),
      seconds: Math.round(perfStats.runtime / 1000),
      cpuSeconds: this.cpuSeconds.get(testFilePath) ?? 0,
    }));
    writeFileSync(this.file, `${JSON.stringify({ ...counts, failures, files }, null, 2)}\n`);
  }
}

const failure = (path, name, message) => ({
  path: relative(root, path),
  name,
  message: stripVTControlCharacters(String(message)),
});
