// npm run build: builds the standalone server in .next/standalone, even if nothing changed.
import { build, generate } from './steps/build.mjs'
import { runSteps, step } from './steps/step.mjs'

await runSteps(async () => {
  await step('Generate code', generate)
  await step('Build', build)
})
