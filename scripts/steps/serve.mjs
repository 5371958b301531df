import path from 'node:path'
import { SERVER_FOLDER } from './compile-server.mjs'

/** Runs scripts/serve.ts as it was compiled, in this process, which ends with it. */
export async function serve(mode) {
  const compiled = await import(path.resolve(SERVER_FOLDER, 'serve.js'))
  await compiled.serve(mode)
}
