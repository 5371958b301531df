import { formatTokens } from './format'
import type { RunEventOf } from './run-event'

/** What became of a request that has no answer and no failure of its own. */
export function lostWords({ usage }: RunEventOf<'request-lost'>['data']): string {
  if (!usage.estimated)
    return 'It was not tried again here: the run was stopped, or handed to another server, first.'
  const sent = formatTokens(usage.inputTokens)
  const shown = formatTokens(usage.outputTokens)
  return `The server stopped while the model was being asked. That request may be charged all the same: it counts as ${sent} in and ${shown} out, estimated.`
}
