/**
 * Answers the questions of one turn of the event loop in one call.
 * @param answer returns the answers in the order of the questions; if it throws, every question gets the error
 */
export function batched<Question, Answer>(
  answer: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  let gathered: { questions: Question[]; answers: Promise<readonly Answer[]> } | undefined;
  return async (question) => {
    gathered ??= { questions: [], answers: afterTheOthers().then(() => answer(close())) };
    const { questions, answers } = gathered;
    const place = questions.push(question) - 1;
    return (await answers)[place] as Answer;
  };

  function close(): readonly Question[] {
    const questions = gathered?.questions ?? [];
    gathered = undefined;
    return questions;
  }
}

/** All resolvers of a page run in the same turn of the event loop. */
const afterTheOthers = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));
