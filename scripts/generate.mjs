// Writes what the sources need but git does not hold: the Prisma client and the index of built-in tools.
import { spawnSync } from 'node:child_process'

// Prisma would download a schema engine it does not need for this; any file that exists satisfies it, so it works offline.
const env = {
  ...process.env,
  PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
  PRISMA_HIDE_UPDATE_MESSAGE: '1',
  CHECKPOINT_DISABLE: '1',
}

for (const command of [
  ['node_modules/prisma/build/index.js', 'generate', '--no-hints'],
  ['scripts/generate-tool-index.mjs'],
]) {
  const { status } = spawnSync(process.execPath, command, { env, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
