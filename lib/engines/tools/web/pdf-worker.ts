import { answerQuestion, type PageQuestion, partOf } from './answer-question'
import { pdfText } from './pdf-text'

// The program of a process that reads a PDF, which takes longer to load; `scripts/generate-workers.mjs` makes one text of it.
answerQuestion(async (question: PageQuestion) => partOf(question, await pdfText(question.content)))
