import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { SERVER_FOLDER } from './compile-server.mjs'

/** Runs scripts/serve.ts as it was compiled, in this process, which ends with it. */
export async function serve(mode) {
  const compiled = await import(pathToFileURL(path.resolve(SERVER_FOLDER, 'serve.js')).href)
  await compiled.serve(mode)
}
