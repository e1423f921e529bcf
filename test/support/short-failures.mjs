const mostCharacters = 2_000;

/**
 * Cuts each line of what a failed test says, before it is printed: the counterexample of a property or a body that
 * differs may have hundreds of thousands of characters, and pushes everything else off the screen.
 */
export default class ShortFailures {
  onTestResult(_test, result) {
    result.failureMessage = result.failureMessage
      ?.split('\n')
      .map((line) => (line.length > mostCharacters ? `${line.slice(0, mostCharacters)}… (cut)` : line))
      .join('\n');
  }
}
