import type { PillState } from '@/components/ui/state-pill'
import { endReasonWords } from '@/lib/protocol/run/end-reason-words'
import type { EndReason } from '@/lib/protocol/run/run-event'

type EndWords = { pill: PillState; word: string; sentence: string }

const words: Record<EndReason, Omit<EndWords, 'word'>> = {
  completed: { pill: 'ok', sentence: 'The model finished its answer.' },
  'max-rounds': {
    pill: 'warning',
    sentence: 'The maximum of rounds was reached. The model answered without more tools.',
  },
  budget: { pill: 'warning', sentence: 'A budget refused the next request.' },
  'no-price': {
    pill: 'warning',
    sentence: 'A budget counts cost; the model has no price.',
  },
  'cost-cap': {
    pill: 'warning',
    sentence: 'The cost cap was reached. The model answered without more tools.',
  },
  length: {
    pill: 'warning',
    sentence: 'The answer reached the maximum output tokens or was cut off.',
  },
  'content-filter': {
    pill: 'warning',
    sentence: "The provider's content filter ended the answer.",
  },
  loop: { pill: 'warning', sentence: 'The model repeated the same call.' },
  context: {
    pill: 'error',
    sentence: 'The conversation no longer fits the context window.',
  },
  cancelled: {
    pill: 'off',
    sentence: 'Results so far are kept.',
  },
  frozen: {
    pill: 'error',
    sentence: 'An admin froze this site. Results are kept.',
  },
  revoked: {
    pill: 'error',
    sentence: 'A right that this run needs was removed.',
  },
  'time-limit': { pill: 'error', sentence: 'The run exceeded its time limit.' },
  'provider-error': {
    pill: 'error',
    sentence: 'The provider did not answer.',
  },
  'invalid-output': {
    pill: 'error',
    sentence: 'The answer does not fit its JSON Schema, even after one repair.',
  },
  'internal-error': {
    pill: 'error',
    sentence: 'Toolgate could not continue this run.',
  },
}

/** Returns in words why a run ended. */
export function endWords(reason: EndReason, notStarted = false): EndWords {
  const word = endReasonWords[reason]
  if (!notStarted) return { word, ...words[reason] }
  return {
    pill: 'error',
    word: `Not started: ${word.toLowerCase()}`,
    sentence: 'Refused before the first request.',
  }
}
