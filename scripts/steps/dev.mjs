import { compileServerIfOld, generateIfChanged } from './build.mjs'
import { loadEnvFiles } from './env-files.mjs'
import { installEverything } from './install.mjs'
import { requireFreePort } from './require-free-port.mjs'
import { serve } from './serve.mjs'
import { runSteps, step } from './step.mjs'

await runSteps(async () => {
  console.log('\nToolgate for developers\n')
  loadEnvFiles()
  await requireFreePort()
  await step('Install packages', installEverything)
  await step('Generate code', generateIfChanged)
  await step('Compile the server', compileServerIfOld)
})
await serve('dev')
