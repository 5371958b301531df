import { checkFirstAdmin } from '@/prisma/seed/seed-first-admin'
import { runSteps } from './steps/step.mjs'

// npm run quickstart: judges the first admin's password before the build, which takes minutes.
await runSteps(
  () => checkFirstAdmin(process.env),
  (error) => (error instanceof Error ? error.message : null),
)
