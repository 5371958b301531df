import { buildIfChanged, generateIfChanged } from './build.mjs'
import { install } from './install.mjs'
import { requireFreePort } from './require-free-port.mjs'
import { serve } from './serve.mjs'
import { runSteps, step } from './step.mjs'

await runSteps(async () => {
  console.log('\nToolgate\n')
  await requireFreePort()
  await step('Install packages', install)
  await step('Generate code', generateIfChanged)
  await step('Build', buildIfChanged)
})
serve('start')
