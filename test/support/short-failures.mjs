const mostCharacters = 2_000;

/** Truncates the lines of failure messages: a counterexample or a differing body may have hundreds of thousands of characters. */
export default class ShortFailures {
  onTestResult(_test, result) {
    result.failureMessage = result.failureMessage
      ?.split('\n')
      .map((line) => (line.length > mostCharacters ? `${line.slice(0, mostCharacters)}… (cut)` : line))
      .join('\n');
  }
}
