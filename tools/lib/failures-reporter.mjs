// A Jest reporter that appends each failed test to the file named by AMS_TEST_FAILURES, one JSON object a line:
// { path, name, message }. `npm test` prints them as its last lines, below what the other projects said.
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './workspace.mjs';

export default class FailuresReporter {
  onTestResult(test, result) {
    const file = process.env.AMS_TEST_FAILURES;
    if (!file) return;
    const failed = result.testResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => ({ name: fullName, message: failureMessages.join('\n') }));
    if (result.testExecError)
      failed.push({
        name: 'the file itself',
        message: result.testExecError.stack ?? String(result.testExecError.message),
      });
    for (const { name, message } of failed) {
      appendFileSync(
        file,
        `${JSON.stringify({ path: relative(root, test.path), name, message: stripVTControlCharacters(message) })}\n`,
      );
    }
  }
}
