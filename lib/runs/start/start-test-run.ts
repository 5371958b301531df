import 'server-only'
import { z } from 'zod'
import { readGovernedConfiguration } from '@/lib/domains/configurations/reads'
import { WhichConfiguration } from '@/lib/domains/configurations/schemas'
import { verb } from '@/lib/edge/verb'
import { ConflictError } from '@/lib/kernel/errors'
import { startRun } from './start-run'

const testPrompt = 'Answer with the word ready.'

/** It uses tokens like any run. Throws ConflictError when the configuration cannot be used now. */
export const startTestRun = verb({
  name: 'configuration.test',
  role: 'admin',
  scope: null,
  summary: 'Starts one short run with a configuration for the caller, without tools.',
  input: WhichConfiguration,
  output: z.object({ runId: z.string() }),
  transaction: false,
  run: async ({ ctx }, input) => {
    const { id, name, enabled, chain } = await readGovernedConfiguration(ctx, input.id)
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
  },
})
