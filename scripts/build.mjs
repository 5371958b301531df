// npm run build: builds the standalone server in .next/standalone, even if nothing changed. npm run build:cli: compiles
// the server code alone, which is all that the command line needs.
import { build, compileServerIfOld, generate } from './steps/build.mjs'
import { runSteps, step } from './steps/step.mjs'

await runSteps(async () => {
  await step('Generate code', generate)
  if (process.argv[2] === 'cli') await step('Compile the server', compileServerIfOld)
  else await step('Build', build)
})
