/** Tells the worker of the first test that fails, so that nobody waits for the others of its file. */
export default class FirstFailure {
  onTestCaseResult(_test, { status }) {
    if (status === 'failed') globalThis.onFirstFailure();
  }
}
