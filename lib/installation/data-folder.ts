import { chmod, mkdir, stat } from 'node:fs/promises'
import path from 'node:path'

export const INSTALLATION_ROOT = path.join(import.meta.dirname, '../..')

/** The folder that holds everything this installation keeps, made if missing and closed to others. Returns its path. */
export async function openDataFolder(): Promise<string> {
  const folder = path.resolve(INSTALLATION_ROOT, process.env.TOOLGATE_DATA_DIR ?? '.data')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { mode } = await stat(folder)
  // As root, a group may pass through (place-cluster.ts).
  if ((mode & 0o067) !== 0) await chmod(folder, 0o700)
  return folder
}
