import { answerQuestion } from './answer-question'
import { limitAllocations } from './limit-allocations'
import { pdfText } from './pdf-text'

// The program of a process that reads a PDF, which takes longer to load; `scripts/generate-workers.mjs` makes one text of it.
answerQuestion(({ content }) => {
  limitAllocations()
  return pdfText(content)
})
