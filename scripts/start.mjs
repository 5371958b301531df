// npm start: serves the built console.
import { existsSync } from 'node:fs'
import { loadEnvFiles } from './steps/env-files.mjs'
import { requireFreePort } from './steps/require-free-port.mjs'
import { serve } from './steps/serve.mjs'
import { runSteps, StepError } from './steps/step.mjs'

await runSteps(async () => {
  if (!existsSync('.next/standalone/server.js')) {
    throw new StepError('Nothing is built yet: run npm run quickstart, or npm run build first.')
  }
  loadEnvFiles()
  await requireFreePort()
})
serve('start')
