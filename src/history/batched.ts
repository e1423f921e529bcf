/**
 * Gathers what is asked in one go, as for the nodes of a page, and answers it together.
 * @param answer gives the answers in the order of the questions; if it throws, every asker gets the error
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

/** Resolves when every resolver that is about to ask has asked: they all waited for the same answer just now. */
const afterTheOthers = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));
