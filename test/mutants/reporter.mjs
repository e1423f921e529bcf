/** Tells the parent process that a test has failed. */
export default class FirstFailure {
  onTestCaseResult(_test, { status }) {
    if (status === 'failed') globalThis.onFirstFailure();
  }
}
