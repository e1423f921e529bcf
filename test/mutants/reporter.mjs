/** Tells the parent process that a test has failed. The parent kills the worker if the test file does not end soon. */
export default class FirstFailure {
  onTestCaseResult(_test, { status }) {
    if (status === 'failed') globalThis.onFirstFailure();
  }
}
