// npm start: serves the built console.
import { whyNoServer } from './steps/build.mjs'
import { loadEnvFiles } from './steps/env-files.mjs'
import { requireFreePort } from './steps/require-free-port.mjs'
import { serve } from './steps/serve.mjs'
import { runSteps, StepError } from './steps/step.mjs'

await runSteps(async () => {
  const problem = whyNoServer()
  if (problem !== null) throw new StepError(problem)
  loadEnvFiles()
  await requireFreePort()
})
await serve('start')
