import { buildIfChanged, generateIfChanged } from './build.mjs'
import { announceFirstBuild, checkFirstAdmin, checkStart, makesFirstAdmin } from './check-start.mjs'
import { loadEnvFiles } from './env-files.mjs'
import { install } from './install.mjs'
import { requireFreePort } from './require-free-port.mjs'
import { serve } from './serve.mjs'
import { runSteps, step } from './step.mjs'

await runSteps(async () => {
  console.log('\nToolgate\n')
  loadEnvFiles()
  checkStart()
  await requireFreePort()
  announceFirstBuild()
  await step('Install packages', install)
  await step('Generate code', generateIfChanged)
  if (makesFirstAdmin()) await step('Check the first admin', checkFirstAdmin)
  await step('Build', buildIfChanged)
})
await serve('start')
