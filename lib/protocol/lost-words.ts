import { formatTokens } from './format'
import type { FailedCall, RunEventOf } from './run-event'

/** What became of a request that has no answer and no failure of its own. */
export function lostWords({ usage }: RunEventOf<'request-lost'>['data']): string {
  if (!usage.estimated)
    return 'The request was not tried again, because the run was stopped or moved to another server before that.'
  const sent = formatTokens(usage.inputTokens)
  const shown = formatTokens(usage.outputTokens)
  return `The server stopped during a model request. The provider may still charge for the request, so it is counted with estimates: ${sent} in, ${shown} out.`
}

/** What the provider may charge for a request that failed, as a further sentence; empty = nothing. */
export function usedWords({ failedCall }: { failedCall?: FailedCall | undefined }): string {
  const usage = failedCall?.used?.usage
  if (!usage || usage.inputTokens + usage.outputTokens === 0) return ''
  const counts = `${formatTokens(usage.inputTokens)} in, ${formatTokens(usage.outputTokens)} out`
  return ` The provider may still charge for it, so it is counted${usage.estimated ? ' with estimates' : ''}: ${counts}.`
}
