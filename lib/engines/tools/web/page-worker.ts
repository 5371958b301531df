import { answerQuestion } from './answer-question'
import { pageText } from './page-text'

// The program of a process that reads what is no PDF; `scripts/generate-workers.mjs` makes one text of it.
answerQuestion(pageText)
