// Has to be reported: Layer rule: exchange/ is stage 1 of serve/ and imports only earlier stages.
export { DirectAnswers } from '../direct/direct-answers.ts';
