import type { PillState } from '@/components/ui/state-pill'
import type { EndReason } from '@/lib/protocol/run/run-event'

type EndWords = { pill: PillState; word: string; sentence: string }

const words: Record<EndReason, EndWords> = {
  completed: { pill: 'ok', word: 'Completed', sentence: 'The model finished its answer.' },
  'max-rounds': {
    pill: 'warning',
    word: 'Round limit',
    sentence: 'The maximum of rounds was reached. The model answered without more tools.',
  },
  budget: { pill: 'warning', word: 'Budget', sentence: 'A budget refused the next request.' },
  'no-price': {
    pill: 'warning',
    word: 'No price',
    sentence: 'A budget counts cost; the model has no price.',
  },
  'cost-cap': {
    pill: 'warning',
    word: 'Cost cap',
    sentence: 'The cost cap was reached. The model answered without more tools.',
  },
  length: {
    pill: 'warning',
    word: 'Cut off',
    sentence: 'The answer reached the maximum output tokens or was cut off.',
  },
  'content-filter': {
    pill: 'warning',
    word: 'Filtered',
    sentence: "The provider's content filter ended the answer.",
  },
  loop: { pill: 'warning', word: 'Loop', sentence: 'The model repeated the same call.' },
  context: {
    pill: 'error',
    word: 'Context full',
    sentence: 'The conversation no longer fits the context window.',
  },
  cancelled: {
    pill: 'off',
    word: 'Stopped',
    sentence: 'Results so far are kept.',
  },
  frozen: {
    pill: 'error',
    word: 'Frozen',
    sentence: 'An admin froze this site. Results are kept.',
  },
  revoked: {
    pill: 'error',
    word: 'Access removed',
    sentence: 'A right that this run needs was removed.',
  },
  'time-limit': { pill: 'error', word: 'Time limit', sentence: 'The run exceeded its time limit.' },
  'provider-error': {
    pill: 'error',
    word: 'Provider failed',
    sentence: 'The provider did not answer.',
  },
  'invalid-output': {
    pill: 'error',
    word: 'Invalid output',
    sentence: 'The answer does not fit its JSON Schema, even after one repair.',
  },
  'internal-error': {
    pill: 'error',
    word: 'Failed',
    sentence: 'Toolgate could not continue this run.',
  },
}

/** Returns in words why a run ended. */
export function endWords(reason: EndReason, notStarted = false): EndWords {
  const found = words[reason]
  if (!notStarted) return found
  return {
    pill: 'error',
    word: `Not started: ${found.word.toLowerCase()}`,
    sentence: 'Refused before the first request.',
  }
}
