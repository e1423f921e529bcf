const mostCharacters = 2_000;

/**
 * Truncates each line of a failure message. A counterexample or a differing body may have hundreds of thousands of
 * characters, and would push everything else off the screen.
 */
export default class ShortFailures {
  onTestResult(_test, result) {
    result.failureMessage = result.failureMessage
      ?.split('\n')
      .map((line) => (line.length > mostCharacters ? `${line.slice(0, mostCharacters)}… (cut)` : line))
      .join('\n');
  }
}
