import { answerQuestion, type PageQuestion, partOf } from './answer-question'
import { pageText } from './page-text'

// The program of a process that reads what is no PDF; `scripts/generate-workers.mjs` makes one text of it.
answerQuestion((question: PageQuestion) => partOf(question, pageText(question)))
