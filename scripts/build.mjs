// npm run build: the standalone server in .next/standalone, whether anything changed or not.
import { build, generate } from './steps/build.mjs'
import { runSteps, step } from './steps/step.mjs'

await runSteps(async () => {
  await step('Generate code', generate)
  await step('Build', build)
})
