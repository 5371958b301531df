import 'server-only'
import { readGovernedConfiguration } from '@/lib/domains/configurations/read-governed-configuration'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { ConflictError } from '@/lib/kernel/errors'
import { startRun } from './start-run'

const testPrompt = 'Answer with the word ready.'

/**
 * Starts one short run with a configuration for the caller, without tools; it uses tokens like any run. Throws
 * ConflictError when the configuration cannot be used now. Admins only.
 */
export async function startTestRun(ctx: Ctx, configurationId: string): Promise<{ runId: string }> {
  requireRole(ctx, 'admin')
  const { id, name, enabled, chain } = await readGovernedConfiguration(ctx, configurationId)
  if (!enabled) throw new ConflictError(`${name} is switched off. Switch it on to test it.`)
  const [model] = chain
  if (model && !model.enabled) {
    throw new ConflictError(
      `${model.modelName} at ${model.connectionName} is switched off. Switch it on to test ${name}.`,
    )
  }
  const { runId } = await startRun(ctx, {
    configuration: id,
    prompt: testPrompt,
    tools: [],
    maxRounds: 1,
    idempotencyKey: null,
  })
  return { runId }
}
