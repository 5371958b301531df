import { lstat, opendir } from 'node:fs/promises'
import { ToolError } from '@/lib/protocol/tool'
import { isSecretName } from './workspace-path'

/**
 * Where secrets are below a workspace, by their names: a program sees empty files and folders there. `ids`: the device and
 * number of each, which stay when it is moved.
 */
export type SecretPlaces = { files: string[]; folders: string[]; ids: string[] }

const mostEntries = 200_000
const mostPlaces = 500

/**
 * Finds what below a workspace has the name of a secret. Links are not followed: in a sandbox they lead nowhere else. What a
 * repository keeps of its history is not looked at. Throws ToolError when the workspace is too large to be looked through.
 */
export async function findSecretPlaces(root: string): Promise<SecretPlaces> {
  const found: SecretPlaces = { files: [], folders: [], ids: [] }
  const open = ['']
  let entries = 0
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for await (const entry of await opendir(`${root}/${folder}`)) {
      entries += 1
      if (entries > mostEntries) throw tooLarge()
      const place = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (isSecretName(entry.name)) {
        if (entry.isDirectory()) found.folders.push(place)
        else if (entry.isFile()) found.files.push(place)
      } else if (entry.isDirectory() && entry.name !== '.git') open.push(place)
    }
  }
  const places = [...found.files, ...found.folders]
  if (places.length > mostPlaces) throw tooLarge()
  for (const place of places) {
    // One that went meanwhile leaves a place that is made anew, and seen as such later.
    const stats = await lstat(`${root}/${place}`, { bigint: true }).catch(() => null)
    if (stats) found.ids.push(`${stats.dev}:${stats.ino}`)
  }
  return found
}

function tooLarge(): ToolError {
  return new ToolError(
    'workspace-too-large',
    `No program can be run in this workspace: it has more than ${mostEntries} files and folders, or more than ${mostPlaces} with secrets to hide.`,
  )
}
