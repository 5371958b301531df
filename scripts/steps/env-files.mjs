import { existsSync } from 'node:fs'

/** Loads the .env files, in which PORT, HOST and the rest may be set. Variables that are already set win over the files. */
export function loadEnvFiles() {
  for (const file of ['.env.local', '.env']) if (existsSync(file)) process.loadEnvFile(file)
}
