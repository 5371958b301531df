import { adviceAfterTest, checkWire } from '@/lib/engines/providers/failures/connection-advice'
import type { ProviderOptions } from '@/lib/engines/providers/provider'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import { formatCount } from '@/lib/words/format'
import { askForModels, readModelList } from './list-provider-models'
import { type ProbeOutcome, probeOutcome } from './probe-outcome'

/** `message` says what happened and what to do next, for an admin. `models` = how many were listed. */
export type ProbeResult = {
  outcome: ProbeOutcome
  status: number | null
  message: string
  models: number | null
  latencyMs: number
}

/**
 * Tries a connection with one cheap GET, and says what stands in the way. Never throws; when the signal aborts, the
 * outcome is `timeout`. Nothing is sent to any other host, whatever the answer says.
 */
export async function probeConnection(
  wire: ModelTarget['wire'],
  options: ProviderOptions,
  signal: AbortSignal,
): Promise<ProbeResult> {
  if (wire === 'demo') {
    return answered('The demo is built in: rules, not a language model.', 1, 0)
  }
  const startedAt = performance.now()
  const latencyMs = () => Math.round(performance.now() - startedAt)
  try {
    const models = readModelList(wire, await askForModels(wire, options, signal))
    if (models) return answered(listed(models.length), models.length, latencyMs())
    const message = `The server answers, but not with this API type. ${checkWire}`
    return { outcome: 'wrong-wire', status: 200, message, models: null, latencyMs: latencyMs() }
  } catch (error) {
    const found = signal.aborted ? gaveUp(latencyMs()) : probeOutcome(error, options)
    const message = adviceAfterTest(found.message)
    return { ...found, message, models: null, latencyMs: latencyMs() }
  }
}

function answered(message: string, models: number, latencyMs: number): ProbeResult {
  return { outcome: 'ok', status: 200, message, models, latencyMs }
}

function listed(count: number): string {
  if (count === 0) return 'The provider answers, but offers no chat model. Pull or enable one.'
  return `The provider answers and lists ${formatCount(count)} ${count === 1 ? 'model' : 'models'}.`
}

function gaveUp(afterMs: number) {
  const message = `The provider did not answer within ${(afterMs / 1000).toFixed(1)} s. Check that it is running and that this server can reach it.`
  return { outcome: 'timeout' as const, status: null, message }
}
