/** Reports the first failing test to the worker, which then skips the rest of the file. */
export default class FirstFailure {
  onTestCaseResult(_test, { status }) {
    if (status === 'failed') globalThis.onFirstFailure();
  }
}
