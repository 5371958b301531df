import { randomUUID } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'

/**
 * The trimmed text of `file`; if it is not there yet, `make()` is written to it (0600) and stays.
 * Two processes at once agree on one text, and a crash never leaves half of it.
 */
export async function keepFile(file: string, make: () => string): Promise<string> {
  const existing = await readFile(file, 'utf8').catch(ignoreMissing)
  if (existing !== undefined) return existing.trim()
  const draft = `${file}.${randomUUID()}`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(`${make()}\n`)
    await handle.sync()
    await link(draft, file).catch(ignoreExisting)
  } finally {
    await handle.close()
    await rm(draft)
  }
  return (await readFile(file, 'utf8')).trim()
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

function ignoreExisting(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'EEXIST') throw error
}
