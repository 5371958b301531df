// npm run build: builds the standalone server in .next/standalone, even if nothing changed. npm run build:cli: builds the
// command line alone.
import { build, compileServerIfOld, generate } from './steps/build.mjs'
import { runSteps, step } from './steps/step.mjs'

await runSteps(async () => {
  await step('Generate code', generate)
  if (process.argv[2] === 'cli') await step('Build the command line', compileServerIfOld)
  else await step('Build', build)
})
