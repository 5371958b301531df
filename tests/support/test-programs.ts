import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { isAlive } from '@/lib/installation/embedded-postgres'
import { compileServerIfOld } from '@/scripts/steps/build.mjs'
import { compilePrograms } from '@/scripts/steps/compile-programs.mjs'

const prefix = 'test-programs-'

/**
 * Compiles the processes that tests start: loaded as they are, each takes seconds of a processor. As deep below the
 * checkout as lib's own folders are, because modules find migrations from where they stand. Returns the folder.
 */
export async function buildTestPrograms(): Promise<{
  folder: string
  remove: () => Promise<void>
}> {
  const parent = path.resolve('.data')
  const folder = path.join(parent, `${prefix}${process.pid}`)
  await removeOldPrograms(parent)
  const names = ['engine-process', 'toolgate-worker', 'owner-of-a-run', 'egress-probe']
  const programs = names.map((name) => `tests/support/${name}.ts`)
  // Tests of bin/toolgate start what is built.
  await Promise.all([compilePrograms(programs, folder), compileServerIfOld()])
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Removes the programs of test runs that were killed. */
export async function removeOldPrograms(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix) || isAlive(Number(name.slice(prefix.length)))) continue
    await rm(path.join(parent, name), { recursive: true, force: true })
  }
}
