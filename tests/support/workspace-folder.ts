import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A user of the server that has no name. */
export const workspaceOwner = 4242

/** Makes a folder for a workspace in which programs can be run, also where the tests run as root. */
export function workspaceFolder(name: string): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), `${name}-`)))
  giveToOwner(folder)
  return folder
}

/** Gives a folder and what is in it to another user than root, as whom no program runs. */
export function giveToOwner(folder: string): void {
  if (process.getuid?.() !== 0) return
  execFileSync('chown', ['-hR', `${workspaceOwner}:${workspaceOwner}`, folder])
}
